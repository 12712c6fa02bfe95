"""What does an archived HTTP message say, what was its body, and what kind of thing is that?"""

from unquilt.read.http_body import Body, decoded
from unquilt.read.http_head import Message, content_type, parse
from unquilt.read.media_type import kind_of

__all__ = ["Body", "Message", "content_type", "decoded", "kind_of", "parse"]
