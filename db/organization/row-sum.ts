import { canonicalJson } from '../../src/kernel/canonical.ts'
import type { Json } from '../../src/kernel/json.ts'

const modulus = 2n ** 256n

/** A value as JSON: bytes by their digest. */
function plain(value: unknown): Json {
  if (value instanceof Uint8Array) return `bytes ${new Bun.CryptoHasher('sha256').update(value).digest('hex')}`
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]))
  return (value ?? null) as Json
}

/** A sum of the digests of rows: equal for the same rows in whatever order, of either engine. */
export class RowSum {
  #sum = 0n
  #count = 0

  add(row: Readonly<Record<string, unknown>>): void {
    const digest = new Bun.CryptoHasher('sha256').update(canonicalJson(plain(row))).digest('hex')
    this.#sum = (this.#sum + BigInt(`0x${digest}`)) % modulus
    this.#count += 1
  }

  get count(): number {
    return this.#count
  }

  equals(other: RowSum): boolean {
    return this.#count === other.#count && this.#sum === other.#sum
  }
}
