"""Run a command and write what it took, as JSON: seconds by the clock and of the processor, bytes.

A process of its own, and a small one, because the peak memory that the system reports for a child
starts at that of the process that launched it.

    python -I -S launcher.py REPORT COMMAND [ARGUMENT ...]
"""

import json
import os
import sys
import time


def main() -> int:
    """Run the command that the arguments hold; return its exit code."""
    report, command = sys.argv[1], sys.argv[2:]
    start = time.perf_counter()
    child = os.posix_spawn(command[0], command, os.environ)
    _, status, usage = os.wait4(child, 0)
    wall = time.perf_counter() - start
    # kilobytes on Linux, bytes on macOS
    peak = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    with open(report, "w", encoding="ascii") as file:
        json.dump({"wall": wall, "cpu": usage.ru_utime + usage.ru_stime, "peak": peak}, file)
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    sys.exit(main())
