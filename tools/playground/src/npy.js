// The first numbers of a .npy file.
const half = bits => {
  const sign = bits & 0x8000 ? -1 : 1, exponent = bits >> 10 & 31, fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? (1 + fraction / 1024) * 2 ** (exponent - 15) : fraction / 1024 * 2 ** -14);
};
const readers = {
  f2: [2, (view, at) => half(view.getUint16(at, true))], f4: [4, (view, at) => view.getFloat32(at, true)], f8: [8, (view, at) => view.getFloat64(at, true)],
  i1: [1, (view, at) => view.getInt8(at)], i2: [2, (view, at) => view.getInt16(at, true)], i4: [4, (view, at) => view.getInt32(at, true)], i8: [8, (view, at) => view.getBigInt64(at, true)],
  u1: [1, (view, at) => view.getUint8(at)], u2: [2, (view, at) => view.getUint16(at, true)], u4: [4, (view, at) => view.getUint32(at, true)], u8: [8, (view, at) => view.getBigUint64(at, true)],
  b1: [1, (view, at) => view.getUint8(at) !== 0],
};

// {type, shape, rows: texts of at most `height` rows of at most `width` numbers}; null when it is no such file or type.
export function read(bytes, height = 32, width = 16) {
  if (bytes.length < 10 || bytes[0] !== 0x93) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [length, begin] = bytes[6] === 1 ? [view.getUint16(8, true), 10] : [view.getUint32(8, true), 12];
  const head = new TextDecoder().decode(bytes.subarray(begin, begin + length));
  const type = /'descr': *'[<|=]?(\w+)'/.exec(head)?.[1], shape = /'shape': *\(([^)]*)\)/.exec(head)?.[1].split(',').map(each => each.trim()).filter(Boolean).map(Number);
  if (!readers[type] || !shape) return null;
  const [size, number] = readers[type], data = begin + length;
  const columns = shape.at(-1) ?? 1, lines = Math.min(height, Math.floor((bytes.length - data) / size / Math.max(columns, 1)));
  const shown = value => typeof value === 'number' ? String(Number.isInteger(value) ? value : Number(value.toPrecision(6))) : String(value);
  const rows = Array.from({length: lines}, (_, i) => Array.from({length: Math.min(width, columns)}, (_, j) => shown(number(view, data + (i * columns + j) * size))));
  return {type, shape, rows, columns};
}
