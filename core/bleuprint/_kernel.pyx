# cython: language_level=3
"""Clipped n-gram counts, compiled: the statistics of BLEU from lists of tokens.

Segment by segment, and order by order within one, the n-grams of the references go into a hash
table, and those of each system are looked up in it.  Three ideas make that cheap and exact:

* A token of at most seven bytes is its own key.  A longer one has `str`'s hash for a key, and its
  text is compared as well.
* A longer n-gram goes by the places in the table of its first and of its last n - 1 tokens, 32 bits
  each: a key that no other n-gram of its order has.  Keys are compared in full, so that hashes that
  collide cost time and never change a count.
* An n-gram can match only where both of the (n-1)-grams inside it did.  Each order goes over what
  is left in the running by the one before, on both sides, and the higher orders touch little.

The table is never cleared.  A clock ticks for every stream of tokens at every order, a place
remembers when it was last used, and what is older than the order at hand is free.

No Python code runs while tokens are counted (one that is of a subclass of `str` is taken as its
text), and the interpreter's lock is held: no list can change underfoot.
"""

from cpython.bytearray cimport PyByteArray_AS_STRING
from cpython.mem cimport PyMem_Calloc, PyMem_Free, PyMem_Malloc
from cpython.object cimport PyObject
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy

cdef extern from "Python.h":
    # Borrowed references throughout: the lists of the caller keep every object alive.
    ctypedef struct PyASCIIObject:
        Py_hash_t hash  # -1 until it is first asked for
    ctypedef struct PyTypeObject:
        Py_hash_t (*tp_hash)(PyObject *) except -1
    PyTypeObject PyUnicode_Type
    bint PY_LITTLE_ENDIAN
    bint PyList_Check(PyObject *)
    Py_ssize_t PyList_GET_SIZE(PyObject *)
    PyObject *PyList_GET_ITEM(PyObject *, Py_ssize_t)
    bint PyUnicode_Check(PyObject *)
    Py_ssize_t PyUnicode_GET_LENGTH(PyObject *)
    int PyUnicode_KIND(PyObject *)
    bint PyUnicode_IS_COMPACT(PyObject *)
    void *PyUnicode_DATA(PyObject *)
    Py_UCS4 PyUnicode_READ(int, void *, Py_ssize_t)
    bint Py_UNICODE_ISSPACE(Py_UCS4)

cdef extern from "<stdint.h>":
    uint32_t NONE "UINT32_MAX"  # the place of an n-gram that is out of the running

cdef enum:
    MAX_ORDER = 255
    MAX_TOKENS = 0x1FFFFFFF  # of a segment: the table has fewer than NONE places then

cdef struct Place:
    uint64_t key
    PyObject *text  # of a token whose key does not say it all, else NULL
    uint64_t used  # the clock when it was last used
    uint32_t most  # how often it occurs in the reference that has it most
    uint32_t seen  # how often it occurred so far in the stream that used it last

cdef struct Table:
    Place *places
    uint64_t wrap  # places in use, a power of two, less 1
    uint64_t multiplier  # odd, and secret: nobody can write a text that is slow to count
    uint64_t hash_mask
    uint64_t start  # the clock when the order at hand began
    uint64_t clock

cdef struct Stream:
    PyObject *tokens
    Py_ssize_t length
    Py_ssize_t live  # n-grams in the running: the three below are theirs, in order of position
    uint32_t *positions
    uint64_t *keys
    uint32_t *ids  # their places, or NONE
    bint is_system
    Py_ssize_t outer  # where it came from: systems[outer][inner] or references[outer][inner]
    Py_ssize_t inner


cdef inline uint64_t key_of(const Table table, PyObject *token) except 0xFFFFFFFFFFFFFFFF:
    """Return the key of a token, which is not empty: all of a short one, the hash of a long one.

    The low byte keeps them apart: the size in bytes and the width of a character, or 0.
    """
    cdef uint64_t width = PyUnicode_KIND(token)
    cdef uint64_t size = width * PyUnicode_GET_LENGTH(token)
    cdef uint64_t unused = 64 - 8 * size  # bits, of the eight bytes that end where the text ends
    cdef uint64_t key = 0
    cdef const char *data
    cdef Py_hash_t hash
    if size > 7:
        hash = (<PyASCIIObject *>token).hash
        if hash == -1:
            hash = PyUnicode_Type.tp_hash(token)
        return (<uint64_t>hash & table.hash_mask) << 8
    data = <const char *>PyUnicode_DATA(token)
    if PyUnicode_IS_COMPACT(token):
        memcpy(&key, data + size - 8, 8)  # what lies before the text is the object's own header
    else:
        memcpy(<char *>&key + 8 - size, data, size)
    key = key >> unused if PY_LITTLE_ENDIAN else key << unused >> unused
    return key << 8 | width << 3 | size


cdef inline PyObject *text_of(Stream *stream, Py_ssize_t i) noexcept:
    """Return token `i` where its key does not say it all, else NULL."""
    return PyList_GET_ITEM(stream.tokens, i) if stream.keys[i] & 0xFF == 0 else NULL


cdef inline bint same_text(PyObject *a, PyObject *b) noexcept:
    """Tell whether two strings are equal: their storage is canonical."""
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(a)
    cdef int width = PyUnicode_KIND(a)
    return a == b or (
        length == PyUnicode_GET_LENGTH(b)
        and width == PyUnicode_KIND(b)
        and memcmp(PyUnicode_DATA(a), PyUnicode_DATA(b), length * width) == 0
    )


# What follows is written with few branches: whether an n-gram matches cannot be predicted, and a
# processor that guesses wrong loses more time than all the rest takes.


cdef inline uint32_t find(const Table table, uint64_t key, PyObject *text) noexcept:
    """Return the place of an n-gram, or the free one where it belongs."""
    cdef Place *place
    cdef uint64_t at = key * table.multiplier
    at = (at ^ (at >> 32)) & table.hash_mask & table.wrap
    while True:
        place = &table.places[at]
        if (place.used < table.start) | (place.key == key):
            if text == NULL or place.used < table.start or same_text(place.text, text):
                return <uint32_t>at
        at = (at + 1) & table.wrap


cdef inline uint32_t add(const Table table, uint64_t key, PyObject *text) noexcept:
    """Count an n-gram of a reference; return its place."""
    cdef uint32_t at = find(table, key, text)
    cdef Place *place = &table.places[at]
    cdef uint32_t most = place.most * (place.used >= table.start)
    cdef uint32_t seen = place.seen * (place.used == table.clock) + 1
    place.key = key
    place.text = text
    place.used = table.clock
    place.seen = seen
    place.most = seen if seen > most else most
    return at


cdef inline uint32_t match(
    const Table table, uint64_t key, PyObject *text, Py_ssize_t *matches
) noexcept:
    """Count an n-gram of a system if a reference has it; return its place, or NONE."""
    cdef uint32_t at = find(table, key, text)
    cdef Place *place = &table.places[at]
    cdef bint hit = place.used >= table.start
    cdef uint32_t seen = place.seen * (place.used == table.clock) + 1
    place.seen = seen
    place.used = table.clock if hit else place.used
    matches[0] += hit & (seen <= place.most)
    return at | (<uint32_t>hit - 1)


cdef void add_tokens(const Table table, Stream *stream) noexcept:
    """Enter the tokens of a reference."""
    cdef Py_ssize_t i
    for i in range(stream.live):
        stream.ids[i] = add(table, stream.keys[i], text_of(stream, i))


cdef Py_ssize_t match_tokens(const Table table, Stream *stream) noexcept:
    """Look up the tokens of a system; return the matches, clipped."""
    cdef Py_ssize_t i, matches = 0
    for i in range(stream.live):
        stream.ids[i] = match(table, stream.keys[i], text_of(stream, i), &matches)
    return matches


cdef void add_ngrams(const Table table, Stream *stream) noexcept:
    """Enter the n-grams of a reference, of two tokens or more."""
    cdef Py_ssize_t i
    for i in range(stream.live):
        stream.ids[i] = add(table, stream.keys[i], NULL)


cdef Py_ssize_t match_ngrams(const Table table, Stream *stream) noexcept:
    """Look up the n-grams of a system, of two tokens or more; return the matches, clipped."""
    cdef Py_ssize_t i, matches = 0
    for i in range(stream.live):
        stream.ids[i] = match(table, stream.keys[i], NULL, &matches)
    return matches


cdef void strike_out(const Table table, Stream *stream, uint64_t last) noexcept:
    """Strike out of a reference what no system has: what was used by `last` and not since."""
    cdef Py_ssize_t i
    for i in range(stream.live):
        stream.ids[i] |= <uint32_t>(table.places[stream.ids[i]].used > last) - 1


cdef void extend(Stream *stream) noexcept:
    """Go on to the n-grams of one token more: where both halves are still in the running."""
    cdef uint32_t *ids = stream.ids
    cdef uint32_t *positions = stream.positions
    cdef Py_ssize_t i, live = 0
    for i in range(stream.live - 1):
        stream.keys[live] = <uint64_t>ids[i] << 32 | ids[i + 1]
        positions[live] = positions[i]
        live += (
            (ids[i] != NONE) & (ids[i + 1] != NONE) & (positions[i + 1] == positions[i] + 1)
        )
    stream.live = live


cdef Py_ssize_t closest_length(Stream *references, Py_ssize_t count, Py_ssize_t length) noexcept:
    """Return the length of the reference that is closest to `length`, the shorter of two."""
    cdef Py_ssize_t r, distance, own, closest = -1, least = 0
    for r in range(count):
        own = references[r].length
        distance = own - length if own > length else length - own
        if closest < 0 or distance < least or (distance == least and own < closest):
            closest = own
            least = distance
    return closest


cdef str name_of(Stream *stream):
    return f"{'systems' if stream.is_system else 'references'}[{stream.outer}][{stream.inner}]"


cdef inline bint is_str(PyObject *token) except -1:
    """Tell whether this is a str, and have its characters ready to be read."""
    if not PyUnicode_Check(token):
        return False
    if PyUnicode_KIND(token) == 0:  # a form of before Python 3.3, gone in 3.12: hashing ends it
        PyUnicode_Type.tp_hash(token)
    return True


cdef inline bint is_blank(PyObject *token) noexcept:
    """Tell whether a token is empty or nothing but white space."""
    cdef int width = PyUnicode_KIND(token)
    cdef void *data = PyUnicode_DATA(token)
    cdef Py_UCS4 character
    cdef Py_ssize_t i
    for i in range(PyUnicode_GET_LENGTH(token)):
        character = PyUnicode_READ(width, data, i)
        # the printable half of ASCII, and all beyond the ideographic space, without a look-up
        if 0x20 < character < 0x7F or character > 0x3000 or not Py_UNICODE_ISSPACE(character):
            return False
    return True


cdef int open_stream(Stream *stream, PyObject *tokens) except -1:
    """Take a list of tokens."""
    if not PyList_Check(tokens):
        kind = type(<object>tokens).__name__
        raise TypeError(f"{name_of(stream)}: expected a list of tokens, not {kind}")
    stream.tokens = tokens
    stream.length = PyList_GET_SIZE(tokens)
    return 0


cdef int read_stream(const Table table, Stream *stream) except -1:
    """Check that the tokens are words, and set out with their keys."""
    cdef PyObject *token
    cdef Py_ssize_t i
    for i in range(stream.length):
        token = PyList_GET_ITEM(stream.tokens, i)
        if not is_str(token):
            kind = type(<object>token).__name__
            raise TypeError(f"{name_of(stream)}[{i}]: expected a str, not {kind}")
        if is_blank(token):
            raise ValueError(f"{name_of(stream)}[{i}]: a token that is empty or only white space")
        stream.keys[i] = key_of(table, token)
        stream.positions[i] = <uint32_t>i
    stream.live = stream.length
    return 0


cdef class _Run:
    """One call of `count`, and the memory it takes: freed with this object, whatever happens."""

    cdef list systems
    cdef list references
    cdef list tables
    cdef Py_ssize_t max_order
    cdef Table table
    cdef uint64_t places_size
    cdef Stream *streams  # of the segment at hand: its references, then the systems
    cdef Py_ssize_t streams_size
    cdef uint64_t *keys
    cdef uint32_t *ids
    cdef uint32_t *positions
    cdef Py_ssize_t tokens_size

    def __dealloc__(self):
        PyMem_Free(self.table.places)
        PyMem_Free(self.streams)
        PyMem_Free(self.keys)
        PyMem_Free(self.ids)
        PyMem_Free(self.positions)

    cdef int reserve_streams(self, Py_ssize_t size) except -1:
        if size > self.streams_size:
            PyMem_Free(self.streams)
            self.streams_size = 0
            self.streams = <Stream *>PyMem_Calloc(size, sizeof(Stream))
            if self.streams == NULL:
                raise MemoryError
            self.streams_size = size
        return 0

    cdef int reserve_tokens(self, Py_ssize_t size) except -1:
        if size > self.tokens_size:
            size *= 2
            self.tokens_size = 0
            PyMem_Free(self.keys)
            self.keys = <uint64_t *>PyMem_Malloc(size * sizeof(uint64_t))
            PyMem_Free(self.ids)
            self.ids = <uint32_t *>PyMem_Malloc(size * sizeof(uint32_t))
            PyMem_Free(self.positions)
            self.positions = <uint32_t *>PyMem_Malloc(size * sizeof(uint32_t))
            if self.keys == NULL or self.ids == NULL or self.positions == NULL:
                raise MemoryError
            self.tokens_size = size
        return 0

    cdef int reserve_places(self, Py_ssize_t tokens) except -1:
        """Make room for the tokens of a segment's references: they fill one third at most."""
        cdef uint64_t size = 16
        while size < 3 * <uint64_t>tokens:
            size *= 2
        if size > self.places_size:
            PyMem_Free(self.table.places)
            self.places_size = 0
            self.table.places = <Place *>PyMem_Calloc(size, sizeof(Place))
            if self.table.places == NULL:
                raise MemoryError
            self.places_size = size
        self.table.wrap = size - 1
        return 0

    cdef Py_ssize_t open_segment(self, Py_ssize_t i) except -1:
        """Point the streams at segment `i` and make room; return how many references it has."""
        cdef list references = self.references[i]
        cdef Py_ssize_t reference_count = len(references)
        cdef Py_ssize_t stream_count = reference_count + len(self.systems)
        cdef Py_ssize_t s, tokens = 0, reference_tokens = 0
        cdef Stream *stream
        cdef PyObject *system
        if reference_count == 0:
            raise ValueError(f"references[{i}]: expected one reference at least")
        self.reserve_streams(stream_count)
        for s in range(stream_count):
            stream = &self.streams[s]
            stream.is_system = s >= reference_count
            if stream.is_system:
                stream.outer = s - reference_count
                stream.inner = i
                system = PyList_GET_ITEM(<PyObject *>self.systems, stream.outer)
                open_stream(stream, PyList_GET_ITEM(system, i))
            else:
                stream.outer = i
                stream.inner = s
                open_stream(stream, PyList_GET_ITEM(<PyObject *>references, s))
            tokens += stream.length
            if tokens > MAX_TOKENS:
                raise OverflowError(f"segment {i}: more than {MAX_TOKENS} tokens")
            if not stream.is_system:
                reference_tokens = tokens
        self.reserve_places(reference_tokens)
        self.reserve_tokens(tokens)
        tokens = 0
        for s in range(stream_count):
            stream = &self.streams[s]
            stream.keys = self.keys + tokens
            stream.ids = self.ids + tokens
            stream.positions = self.positions + tokens
            tokens += stream.length
            read_stream(self.table, stream)
        return reference_count

    cdef int count_segment(self, Py_ssize_t i) except -1:
        """Fill in row `i` of every system's table."""
        cdef Py_ssize_t reference_count = self.open_segment(i)
        cdef Py_ssize_t system_count = len(self.systems)
        cdef Stream *references = self.streams
        cdef Stream *systems = self.streams + reference_count
        cdef Table *table = &self.table
        cdef Py_ssize_t order, s, matches, length
        cdef uint64_t last
        cdef int64_t *row
        cdef bint any_match
        for s in range(system_count):
            length = systems[s].length
            row = self.row(s, i)
            row[0] = length
            row[1] = closest_length(references, reference_count, length)
            for order in range(1, min(length, self.max_order) + 1):
                row[1 + self.max_order + order] = length - order + 1
        for order in range(1, self.max_order + 1):
            table.start = table.clock + 1
            for s in range(reference_count):
                table.clock += 1
                if order == 1:
                    add_tokens(table[0], &references[s])
                else:
                    add_ngrams(table[0], &references[s])
            last = table.clock
            any_match = False
            for s in range(system_count):
                table.clock += 1
                if order == 1:
                    matches = match_tokens(table[0], &systems[s])
                else:
                    matches = match_ngrams(table[0], &systems[s])
                self.row(s, i)[1 + order] = matches
                any_match = any_match or matches > 0
            if not any_match:
                break
            for s in range(reference_count):
                strike_out(table[0], &references[s], last)
                extend(&references[s])
            for s in range(system_count):
                extend(&systems[s])
        return 0

    cdef int64_t *row(self, Py_ssize_t system, Py_ssize_t i) noexcept:
        cdef PyObject *table = PyList_GET_ITEM(<PyObject *>self.tables, system)
        return <int64_t *>PyByteArray_AS_STRING(<object>table) + i * (2 + 2 * self.max_order)


def count(
    list systems not None,
    list references not None,
    Py_ssize_t max_order,
    uint64_t _hash_mask=0xFFFFFFFFFFFFFFFF,
):
    """Return the statistics of each system: an int64 table of shape (segments, 2 + 2 * max_order).

    `systems[s][i]` is the list of tokens of segment i of system s, and `references[i]` the lists of
    tokens of that segment's references, at least one.  The columns are the length of the system's
    segment, the length of the closest reference (the shorter of two equally close), the n-grams
    that match, each clipped by the most that one reference has of it, and the n-grams in all, for n
    from 1 to `max_order`, which is at most 255.  Each table comes as a bytearray, in native byte
    order, row by row.

    `_hash_mask` is there to prove a point: 0 makes all hashes collide, and changes no count.

    Raises TypeError, with the index, for what is no list or no str; ValueError for a token that is
    empty or only white space, lists of unlike lengths, a segment without a reference, and an order
    out of range; OverflowError for a segment of more than 2**29 - 1 tokens.
    """
    cdef Py_ssize_t i, segments = len(references)
    cdef _Run run = _Run()
    if not 1 <= max_order <= MAX_ORDER:
        raise ValueError(f"max_order: expected 1 to {MAX_ORDER}, not {max_order}")
    run.systems = systems
    run.references = references
    run.max_order = max_order
    run.table.hash_mask = _hash_mask
    run.table.multiplier = <uint64_t>hash("bleuprint") | 1
    # The last objects to be made: from the checks below to the end not even a finalizer can run.
    run.tables = [None] * len(systems)
    for i in range(len(systems)):
        run.tables[i] = bytearray(segments * (2 + 2 * max_order) * sizeof(int64_t))
    for i, item in enumerate(references):
        if not isinstance(item, list):
            kind = type(item).__name__
            raise TypeError(f"references[{i}]: expected a list of references, not {kind}")
    for i, item in enumerate(systems):
        if not isinstance(item, list):
            kind = type(item).__name__
            raise TypeError(f"systems[{i}]: expected a list of segments, not {kind}")
        if len(item) != segments:
            raise ValueError(
                f"systems[{i}]: expected {segments} segments, as many as there are in references, "
                f"not {len(item)}"
            )
    for i in range(segments):
        run.count_segment(i)
    return run.tables
