const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a

/** The position behind the string that begins at `from`; the end of the bytes where it is never closed. */
const afterString = (bytes: Uint8Array, from: number): number => {
  const first = bytes.indexOf(quote, from + 1)
  if (first < 0) return bytes.length
  let slashes = 0
  while (bytes[first - 1 - slashes] === backslash) slashes++
  if (slashes % 2 === 0) return first + 1
  // Where one quote is escaped there may be millions: looking for each by itself takes several times as long.
  for (let at = first + 1; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === backslash) at++
    else if (byte === quote) return at + 1
  }
  return bytes.length
}

/** Whether arrays and objects of a JSON text (UTF-8) nest deeper than `limit`; every part of it is looked at once. */
export const nestsDeeperThan = (bytes: Uint8Array, limit: number): boolean => {
  let depth = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === quote) at = afterString(bytes, at) - 1
    // { and [ are 0x7b and 0x5b, } and ] are 0x7d and 0x5d.
    else if ((byte | 0x20) === 0x7b) {
      if (++depth > limit) return true
    } else if ((byte | 0x20) === 0x7d) depth--
  }
  return false
}

/**
 * Whether a JSON text (UTF-8) has more than so many values and keys: what is to be refused for it need not be parsed. Values take many
 * times their bytes: 66 MB of `{}` are two gigabytes.
 */
export const hasMoreValuesThan = (bytes: Uint8Array, limit: number): boolean => {
  let values = 1
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === quote) at = afterString(bytes, at) - 1
    // Each opens a container, or follows a value or a key: { [ , :
    else if (byte === comma || byte === colon || (byte | 0x20) === 0x7b) if (++values > limit) return true
  }
  return false
}
