/** The findings of a text that an agent sends: found once for a text and a guide, whatever page of them is asked for. */
import { expect, test } from 'bun:test'
import { Engine } from '../../../server/analysis/engine.ts'
import { materialOf, subjectOf } from '../../../server/analysis/subject.ts'
import { run } from '../../../server/analysis/tasks/check-text.ts'
import { recommendedGuide } from '../../../server/guide-rules/door.ts'

const materialWith = (text: string) => {
  const bytes = new TextEncoder().encode(text)
  const subject = subjectOf({
    tenantId: 't',
    digest: Bun.hash(text).toString(16),
    bytes: () => Promise.resolve(bytes),
    size: bytes.byteLength,
    source: 'document',
    format: 'auto',
  })
  return materialOf(subject, () => bytes)
}

const pets = `openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
paths:
  /pets: { get: { responses: { '200': { description: ok } } } }
`

test('the next page of the findings is answered from memory, and is the same as without', async () => {
  const engine = new Engine()
  let steps = 0
  const ask = (text: string, from: number, limit: number, kept = engine, guide = recommendedGuide) => {
    const desk = {
      engine: kept,
      materials: [materialWith(text)],
      pace: () => void steps++,
      used: () => 0,
      ask: () => Promise.reject(new Error('nothing is asked for')),
    }
    return run({ guide, from, limit }, desk)
  }
  const whole = await ask(pets, 0, 100, new Engine())
  expect(whole.total).toBeGreaterThan(3)
  steps = 0
  const first = await ask(pets, 0, 2)
  expect(steps).toBeGreaterThan(0)
  steps = 0
  const rest = await ask(pets, 2, 100)
  expect(steps).toBe(0)
  expect([...first.items, ...rest.items]).toEqual(whole.items)
  expect([rest.grade, rest.score, rest.total]).toEqual([whole.grade, whole.score, whole.total])
  // Another text, and another guide, are looked at.
  await ask(`${pets}tags: []\n`, 0, 2)
  expect(steps).toBeGreaterThan(0)
  steps = 0
  await ask(pets, 0, 2, engine, { ...recommendedGuide, name: 'another' })
  expect(steps).toBeGreaterThan(0)
})

test('a text is parsed once, whatever is asked of it', () => {
  const engine = new Engine()
  const material = materialWith(pets)
  const document = engine.trusted(material)
  expect([engine.read(material).document === document, engine.document(material) === document]).toEqual([true, true])
})
