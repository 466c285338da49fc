/**
 * A hash of 128 bits as hex, by two passes of FNV-1a over UTF-16 units. It names changes, it protects nothing.
 */
export const fingerprintOf = (text: string): string => {
  let out = ''
  for (const seed of [0xcbf29ce484222325n, 0x84222325cbf29ce4n]) {
    let hash = seed
    for (let i = 0; i < text.length; i++) {
      hash ^= BigInt(text.charCodeAt(i))
      hash = (hash * 0x100000001b3n) & 0xffffffffffffffffn
    }
    out += hash.toString(16).padStart(16, '0')
  }
  return out
}
