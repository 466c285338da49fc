const seeds = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 0x6a09e667] as const

/**
 * A hash of 128 bits as hex: four passes of FNV-1a in 32 bits over UTF-16 units, each from its own seed and mixed at the
 * end. It names changes, it protects nothing.
 */
export const fingerprintOf = (text: string): string => {
  let [a, b, c, d] = seeds as readonly [number, number, number, number]
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    a = Math.imul(a ^ unit, 0x01000193)
    b = Math.imul(b ^ unit, 0x85ebca6b)
    c = Math.imul(c ^ unit, 0xc2b2ae35)
    d = Math.imul(d ^ (unit + i), 0x27d4eb2f)
  }
  return [a ^ (c >>> 15), b ^ (d >>> 13), c ^ (a >>> 16), d ^ (b >>> 14)]
    .map((it) => (it >>> 0).toString(16).padStart(8, '0'))
    .join('')
}
