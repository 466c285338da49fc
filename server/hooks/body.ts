import { createHash, createHmac, timingSafeEqual, type Hmac } from 'node:crypto'
import type { Proof } from '../../src/hooks/verify.ts'

/** How much of a body is kept to show its ref. */
const keptBytes = 64 * 1024

/** What a secret makes of a body that passes by. */
export class Check {
  readonly #proof: Proof
  readonly #secret: string
  readonly #hmac: Hmac

  constructor(proof: Proof, secret: string) {
    this.#proof = proof
    this.#secret = secret
    const isKey = proof.kind === 'standard' && secret.startsWith('whsec_')
    const key = isKey ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret)
    this.#hmac = createHmac('sha256', key)
    if (proof.kind === 'standard') this.#hmac.update(proof.prefix)
  }

  update(chunk: Uint8Array): void {
    this.#hmac.update(chunk)
  }

  isRight(): boolean {
    const proof = this.#proof
    if (proof.kind === 'token') return isEqual(this.#secret, proof.token)
    const digest = this.#hmac.digest()
    if (proof.kind === 'hmac') return isEqual(digest.toString('hex'), proof.hex)
    return proof.signatures.some((one) => isEqual(digest.toString('base64'), one))
  }
}

/** In a time that does not depend on where the texts differ. */
const isEqual = (a: string, b: string): boolean =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())

type BodyRefusal = 'too-large' | 'too-slow'

/** Lets a body pass by the checks. @returns its beginning, or why it was not read to its end */
export async function passBy(
  body: ReadableStream<Uint8Array> | null,
  checks: readonly Check[],
  limits: { readonly bytes: number; readonly waitMs: number },
): Promise<{ readonly beginning: string } | BodyRefusal> {
  const reader = body?.getReader()
  if (reader === undefined) return { beginning: '' }
  const kept: Uint8Array[] = []
  let size = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), limits.waitMs)
  })
  try {
    for (;;) {
      const next = await Promise.race([reader.read(), late])
      if (next === null) return 'too-slow'
      if (next.done) return { beginning: new TextDecoder().decode(Buffer.concat(kept).subarray(0, keptBytes)) }
      if (size < keptBytes) kept.push(next.value)
      size += next.value.byteLength
      if (size > limits.bytes) return 'too-large'
      for (const check of checks) check.update(next.value)
    }
  } finally {
    clearTimeout(timer)
    await reader.cancel().catch(() => {})
  }
}
