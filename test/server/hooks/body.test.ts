import { expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { Check, passBy } from '../../../server/hooks/body.ts'

const secret = 'a secret of the hook'
const hex = (text: string): string => createHmac('sha256', secret).update(text).digest('hex')
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** A body that arrives in pieces; `ends` says whether it ends, or nothing more ever comes. */
function arriving(
  pieces: readonly string[],
  ends = true,
): { body: ReadableStream<Uint8Array>; isCancelled(): boolean } {
  let isCancelled = false
  const left = [...pieces]
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = left.shift()
      if (next !== undefined) controller.enqueue(bytes(next))
      else if (ends) controller.close()
      return next === undefined && !ends ? new Promise<void>(() => {}) : undefined
    },
    cancel() {
      isCancelled = true
    },
  })
  return { body, isCancelled: () => isCancelled }
}

test('a body passes by in pieces, and its beginning is kept', async () => {
  const check = new Check({ kind: 'hmac', hex: hex('one two three') }, secret)
  const wrong = new Check({ kind: 'hmac', hex: hex('one two three') }, 'another secret')
  const limits = { bytes: 13, waitMs: 60_000 }
  expect(await passBy(arriving(['one ', 'two ', 'three']).body, [check, wrong], limits)).toEqual({
    beginning: 'one two three',
  })
  expect([check.isRight(), wrong.isRight()]).toEqual([true, false])
  expect(await passBy(null, [], limits)).toEqual({ beginning: '' })
  const long = 'x'.repeat(70_000)
  const kept = await passBy(arriving([long, long]).body, [], { ...limits, bytes: 1_000_000 })
  expect(kept).toEqual({ beginning: long.slice(0, 65_536) })
})

test('a body that is too large or too slow is given up', async () => {
  const large = arriving(['x'.repeat(10), 'y'], false)
  expect(await passBy(large.body, [], { bytes: 10, waitMs: 60_000 })).toBe('too-large')
  const slow = arriving(['the beginning'], false)
  expect(await passBy(slow.body, [], { bytes: 100, waitMs: 20 })).toBe('too-slow')
  expect([large.isCancelled(), slow.isCancelled()]).toEqual([true, true])
})

test('what proves the secret', () => {
  const after = (check: Check, text: string): boolean => {
    check.update(bytes(text))
    return check.isRight()
  }
  const key = `whsec_${Buffer.alloc(24, 3).toString('base64')}`
  const signature = (keyBytes: Buffer | string) => createHmac('sha256', keyBytes).update('w.1.body').digest('base64')
  const standard = (...signatures: string[]) => ({ kind: 'standard', prefix: 'w.1.', signatures }) as const
  expect([
    after(new Check({ kind: 'token', token: secret }, secret), 'any'),
    after(new Check({ kind: 'token', token: `${secret}x` }, secret), 'any'),
    after(new Check({ kind: 'hmac', hex: hex('body') }, secret), 'body'),
    after(new Check({ kind: 'hmac', hex: hex('body') }, secret), 'other'),
    after(new Check(standard('x', signature(Buffer.alloc(24, 3))), key), 'body'),
    after(new Check(standard(signature(secret)), secret), 'body'),
    after(new Check(standard(), key), 'body'),
  ]).toEqual([true, false, true, false, true, true, false])
})
