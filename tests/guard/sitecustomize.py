"""No process of the suite may open a connection: Python imports this file when it starts, in every child too.

Nothing of unquilt talks to anybody unasked: no telemetry, no download. Sockets of the machine itself (AF_UNIX) are
let through, and in a test marked `loopback` those to 127.0.0.1 and ::1, where its own server is. Others raise,
and are written to the file that UNQUILT_TEST_CONNECTIONS names, so that they are seen even where the exception is
swallowed.
"""

import os
import socket
import sys
from typing import Any

ADDRESSED = ("socket.connect", "socket.sendto", "socket.sendmsg", "socket.bind")
NAMED = ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr")
LOG = "UNQUILT_TEST_CONNECTIONS"
LOOPBACK = "UNQUILT_TEST_LOOPBACK"
HERE = ("127.0.0.1", "::1", "localhost")


def _watch(event: str, args: tuple[Any, ...]) -> None:
    if (event in NAMED or (event in ADDRESSED and _outward(args[0]))) and not _allowed(event, args):
        what = f"{event}{args[1:] if event in ADDRESSED else args}"
        if LOG in os.environ:
            handle = os.open(os.environ[LOG], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
            os.write(handle, f"{what}\n".encode())
            os.close(handle)
        raise PermissionError(f"the tests open no connection: {what}")


def _outward(opened: object) -> bool:
    return isinstance(opened, socket.socket) and opened.family != getattr(socket, "AF_UNIX", None)


def _allowed(event: str, args: tuple[Any, ...]) -> bool:
    if LOOPBACK not in os.environ:
        return False
    address = args[1] if event in ADDRESSED else args
    return isinstance(address, tuple) and address[0] in HERE


sys.addaudithook(_watch)
