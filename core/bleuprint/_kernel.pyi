def count(
    systems: list[list[list[str]]],
    references: list[list[list[str]]],
    max_order: int,
    _hash_mask: int = ...,
) -> list[bytearray]: ...
