/** Large JSON texts are read in steps: the same value as at once, the same refusals, and nobody waits for long. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { JsonFault, readJson, SteppedJson } from '../../../src/document/json-steps.ts'
import { yieldToEventLoop } from '../../../db/yield.ts'

const limits = { maxValues: 1_000_000, maxDepth: 512 }
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const mega = 1024 * 1024

const inSteps = (text: string, most = limits): unknown => {
  const reading = new SteppedJson(text, most)
  while (!reading.step());
  return reading.value
}
const parsed = (text: string): { readonly value: unknown } | 'refused' => {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return 'refused'
  }
}
const stepped = (text: string): { readonly value: unknown } | 'refused' => {
  try {
    return { value: inSteps(text) }
  } catch (error) {
    if (error instanceof JsonFault) return 'refused'
    throw error
  }
}
const fault = async (text: string | Uint8Array, most = limits): Promise<string | null> => {
  try {
    await readJson(typeof text === 'string' ? bytes(text) : text, most, yieldToEventLoop)
    return null
  } catch (error) {
    return (error as Error).message
  }
}

test('any value, with blanks and escapes, is the value that JSON.parse reads', () => {
  const spelled = fc.tuple(fc.jsonValue({ stringUnit: 'binary', maxDepth: 5 }), fc.constantFrom('', ' ', '\n', '\t'))
  fc.assert(
    fc.property(spelled, fc.boolean(), ([value, blank], isEscaped) => {
      const text = JSON.stringify(value, null, blank)
      const written = isEscaped
        ? text.replaceAll(/[^\0-\x7f]/g, (char) => String.raw`\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
        : text
      fc.pre(!/(?<!\\)(?:\\\\)*\\u0000/.test(written))
      expect(inSteps(written)).toEqual(JSON.parse(written))
      expect(JSON.stringify(inSteps(written))).toBe(JSON.stringify(JSON.parse(written)))
    }),
  )
})

test('a text with one changed character is refused exactly where JSON.parse refuses it', () => {
  const characters = fc.constantFrom(...'{}[]",:\\u0e1.-+ \n\u0001tfn'.split(''))
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.nat(), characters, fc.nat(2), (value, at, char, cut) => {
      const text = JSON.stringify(value)
      const place = at % (text.length + 1)
      const changed = text.slice(0, place) + char + text.slice(place + cut)
      fc.pre(!changed.includes(String.raw`\u0000`))
      expect([changed, stepped(changed)]).toEqual([changed, parsed(changed)])
    }),
    { numRuns: 2000 },
  )
})

test('what is special in JavaScript stays a value: __proto__, numbers as keys, the last of equal keys, large numbers', () => {
  const text = '{"__proto__": {"a": 1}, "2": 0, "1": 0, "k": 1, "k": [2], "big": 1e999, "none": -0}'
  const value = inSteps(text) as object
  expect([Object.entries(value), Object.getPrototypeOf(value) === Object.prototype]).toEqual([
    Object.entries(JSON.parse(text) as object),
    true,
  ])
})

test('texts longer than a piece, cut within escapes and characters', async () => {
  for (const unit of ['\\n', 'a\\n', '\\u00e9', 'ab\\u00e9', '\\ud83d\\ude00', '\\\\', '\\"', 'é', '中', '😀']) {
    const text = `{"${'k'.repeat(70_000)}": "${unit.repeat((2 * mega) / unit.length)}"}`
    expect([unit, await readJson(bytes(text), limits, yieldToEventLoop)]).toEqual([unit, JSON.parse(text)])
  }
})

test('refusals say where: large texts by line and column', async () => {
  const blank = '\n'.repeat(mega)
  const at = `line ${mega + 1}, column`
  for (const [text, message] of [
    ['[1,]', `is not JSON (${at} 4: a value is expected)`],
    ['[1 2]', `is not JSON (${at} 4: "," or the end of the list or object is expected)`],
    ['{"a" 1}', `is not JSON (${at} 6: ":" is expected)`],
    ['{a: 1}', `is not JSON (${at} 2: a key in quotes or "}" is expected)`],
    ['{} {}', `is not JSON (${at} 4: nothing more is expected)`],
    ['[1', `is not JSON (${at} 3: "," or the end of the list or object is missing: the text ends here)`],
    ['"abc', `is not JSON (${at} 2: a text in quotes is never closed)`],
    [String.raw`"\x"`, `is not JSON (${at} 2: a text has a control character, or an escape that JSON does not have)`],
    ['1'.repeat(1001), `is not JSON (${at} 1: a number has more than 1000 digits)`],
    [String.raw`"\u0000"`, 'contains a NUL character (U+0000), which is not allowed'],
    ['['.repeat(513), 'nests arrays and objects deeper than 512 levels'],
  ] as const)
    expect([text, await fault(blank + text)]).toEqual([text, message])
  expect(await fault(bytes(blank).with(3, 0xff))).toBe('is not UTF-8')
  expect(await fault(new Uint8Array([0x22, 0xff, 0x22]))).toBe('is not UTF-8')
})

test('values and keys are counted alike, whichever way a text is read', async () => {
  const text = '{"a": [1, 2, {"b": "x,y:[{", "c": ""}]}'
  for (const padded of [text, text + ' '.repeat(mega)]) {
    expect(await fault(padded, { ...limits, maxValues: 10 })).toBeNull()
    expect(await fault(padded, { ...limits, maxValues: 9 })).toBe('has more than 9 values and keys')
    expect(await fault(padded, { ...limits, maxDepth: 3 })).toBeNull()
    expect(await fault(padded, { ...limits, maxDepth: 2 })).toBe('nests arrays and objects deeper than 2 levels')
  }
})

test('a backslash before u0000 is no NUL character', async () => {
  for (const text of [String.raw`"\\u0000"`, String.raw`"[^\\u0000-\\u001f]"`, String.raw`"\\\\u0000"`])
    for (const padded of [text, text + ' '.repeat(mega)])
      expect(await readJson(bytes(padded), limits, yieldToEventLoop)).toBe(JSON.parse(text))
  for (const text of [String.raw`"\u0000"`, String.raw`"\\\u0000"`, String.raw`"a\n\u0000"`])
    expect(await fault(text)).toBe('contains a NUL character (U+0000), which is not allowed')
})
