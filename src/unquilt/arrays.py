"""How do numbers get from NumPy to Arrow and back? By their buffers.

Arrow's own ways, `pa.array` and `to_numpy`, import pandas wherever it is installed, which takes as long as
a small step; here it is not needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray


def to_arrow(values: object, type: pa.DataType) -> pa.Array:
    """An array of this type; numbers are not copied where they are of it already."""
    import numpy as np
    import pyarrow as pa

    if isinstance(values, pa.Array):
        return values
    if isinstance(values, np.ndarray) and values.ndim == 1 and values.dtype.kind in "if" and values.flags.c_contiguous:
        array = pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [None, pa.py_buffer(values)])
        return array if array.type == type else array.cast(type)
    return pa.array(values, type=type)


def to_numpy(array: pa.Array) -> NDArray[Any]:
    """The values of an array of numbers, booleans or strings; what stands in place of a null is nobody's business."""
    import numpy as np
    import pyarrow as pa

    if pa.types.is_boolean(array.type):
        array = array.cast(pa.uint8())
        return to_numpy(array).view(np.bool_)
    dtype = dtype_of(array.type)
    if dtype.hasobject:
        return np.array(array.to_pylist(), dtype)
    data = array.buffers()[1]
    if not len(array) or data is None:
        return np.zeros(0, dtype)
    return np.frombuffer(data, dtype, len(array), array.offset * dtype.itemsize)


def dtype_of(type: pa.DataType) -> np.dtype[Any]:
    import numpy as np
    import pyarrow as pa

    names = {pa.int64(): "i8", pa.int32(): "i4", pa.float64(): "f8", pa.uint8(): "u1", pa.bool_(): "?", pa.string(): "O"}
    return np.dtype(names[type])
