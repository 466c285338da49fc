/** The benchmark of verdicts: its cases are what its generator makes, each certificate proves its label, and nothing of svc is in it. */
import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  isCounterexample,
  publishedTrack,
  readCases,
  tracks,
  type Json,
  type JsonObject,
  type MadeCase,
  type StoredCase,
} from '../../bench/verdicts/case.ts'
import { checkCase, documentsOf } from '../../bench/verdicts/checker/check.ts'
import { casesOf, heldOutOf, publishedSeed } from '../../bench/verdicts/generator/cases.ts'
import { filesOf } from '../../bench/verdicts/generator/files.ts'
import { sizeCases } from '../../bench/verdicts/generator/size.ts'
import { labelled, partOf } from '../../bench/verdicts/generator/versions.ts'
import { keywordsOf, versions } from '../../bench/verdicts/generator/schemas.ts'
import { markOf, tableOf, toolScore, type Answer } from '../../bench/verdicts/score.ts'

const folder = join(import.meta.dir, '../../bench/verdicts')
const stored = readCases(join(folder, 'cases'))
const made = casesOf(publishedSeed)

test('the committed cases are what the generator makes of the seed, byte by byte', () => {
  const differing = made.flatMap((one) =>
    [...filesOf(one)].filter(([path, text]) => {
      const file = join(folder, 'cases', path)
      return !existsSync(file) || readFileSync(file, 'utf8') !== text
    }),
  )
  expect(differing.map(([path]) => path)).toEqual([])
  const names = new Set(made.map(({ track, id }) => `${track}/${id}`))
  const seeded = stored.filter(({ track }) => track !== publishedTrack)
  expect(seeded.map(({ track, id }) => `${track}/${id}`).filter((name) => !names.has(name))).toEqual([])
})

test('a path of two published versions is labelled by what can be shown, and by nothing else', () => {
  const operation = (schema: Json): JsonObject => ({
    responses: { '200': { description: 'A.', content: { 'application/json': { schema } } } },
  })
  const document = (paths: JsonObject, schemas: JsonObject): JsonObject => ({
    openapi: '3.0.3',
    info: { title: 'A', version: '1' },
    paths,
    components: { schemas },
  })
  const reference = { $ref: '#/components/schemas/A' }
  const whole = document(
    { '/a': { get: operation(reference) }, '/b': { get: operation({ $ref: '#/components/schemas/B' }) } },
    { A: { $ref: '#/components/schemas/C' }, B: { type: 'string' }, C: { type: 'string', enum: ['x'] } },
  )
  const base = partOf(whole, '/a')
  expect(Object.keys((base['components'] as JsonObject)['schemas'] as JsonObject)).toEqual(['A', 'C'])
  const of = (schema: JsonObject) => {
    const head = document({ '/a': { get: operation(reference) } }, { A: { $ref: '#/components/schemas/C' }, C: schema })
    return labelled({ id: 'a', source: 'a test', base, head })
  }
  expect(of({ type: 'string', enum: ['x'] })).toBeNull()
  expect(of({ type: 'string', enum: ['x'], description: 'A text.' })?.verdict).toBe('safe')
  expect(of({ type: 'string', enum: ['x', 'y'] })).toMatchObject({ verdict: 'breaking', direction: 'response' })
  // The answer has one value less: no message shows that anything breaks, and nobody says that nothing does.
  expect(of({ type: 'string', enum: ['x'], maxLength: 9 })).toBeNull()
})

test('another seed makes other cases of the same names', () => {
  const others = casesOf('another')
  expect(others.map(({ id }) => id)).toEqual(made.map(({ id }) => id))
  const isOther = (one: MadeCase, at: number) => JSON.stringify(one.base) !== JSON.stringify(made[at]?.base)
  expect(others.filter(isOther).length).toBeGreaterThan(made.length / 3)
})

test('a third is held out: half as many as are published, and only the digest of their seed is known', () => {
  const held = heldOutOf('another')
  expect(held.length).toBe(Math.floor(made.length / 2))
  expect(new Set(held.map(({ id }) => id)).size).toBe(held.length)
  const { seedDigest } = JSON.parse(readFileSync(join(folder, 'held-out.json'), 'utf8')) as { seedDigest: string }
  expect(seedDigest).toMatch(/^sha256:[0-9a-f]{64}$/)
})

const problemsOf = ({
  id,
  track,
  direction,
  verdict,
  question,
  certificate,
  source,
  folder: path,
}: StoredCase): string[] => {
  const problems = [
    path.endsWith(join('cases', track, id)) ? '' : 'is in another folder',
    ['request', 'response', 'both', 'schema'].includes(direction) ? '' : 'has no direction',
    ['breaking', 'safe', 'policy', 'undecidable'].includes(verdict) ? '' : 'has no verdict',
    (verdict === 'policy') === (question?.endsWith('?') ?? false)
      ? ''
      : 'is of policy without a question, or has one too many',
    isCounterexample(certificate) === (verdict === 'breaking') ? '' : 'has the certificate of another verdict',
    isCounterexample(certificate) || certificate.reason.length > 20 ? '' : 'gives no reason',
    isCounterexample(certificate) || certificate.samples === (verdict === 'safe' ? 10_000 : 0)
      ? ''
      : 'has another number of samples',
    source === '' ? 'has no source' : '',
  ]
  return problems.filter((problem) => problem !== '').map((problem) => `${id} ${problem}`)
}

test('every case has the shape', () => {
  expect(stored.flatMap(problemsOf)).toEqual([])
  expect(new Set(stored.map(({ id }) => id)).size).toBe(stored.length)
  expect(stored.length).toBeGreaterThanOrEqual(600)
})

// In parts: each compiles hundreds of schemas.
const parts = [0, 1, 2, 3, 4, 5]

test.each(parts)('every certificate proves its label: part %d of six', (part) => {
  // Counterexamples by ajv and the interpreter, reasons by a few instances that are drawn anew.
  const own = stored.filter((_, at) => at % parts.length === part)
  const checked = own.map((one) => checkCase(one, documentsOf(one), 8))
  expect(checked.filter(({ problem }) => problem !== null).map(({ id, problem }) => `${id}: ${problem}`)).toEqual([])
})

test('large descriptions are made of a seed, and a small one of the kind proves its labels', () => {
  const cases = sizeCases('any', [6])
  expect(cases.map((one) => checkCase(one, one, 100).problem)).toEqual([null, null])
  expect(sizeCases('any', [6])).toEqual(cases)
})

test('each keyword of each version has atoms of both directions', () => {
  const ids = new Set(stored.filter(({ track }) => track === 'atoms').map(({ id }) => id))
  const missing = versions.flatMap((version) =>
    Object.keys(keywordsOf[version]).flatMap((keyword) => {
      const name = keyword.replace('$', '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
      return ['request', 'response']
        .map((direction) => [`${version.replace('.', '-')}-${name}`, direction] as const)
        .filter(([start, direction]) => !['narrowed', 'widened'].some((way) => ids.has(`${start}-${way}-${direction}`)))
        .map(([start, direction]) => `${start} ${direction}`)
    }),
  )
  expect(missing).toEqual([])
})

test('a wrong label is found', () => {
  const one = (id: string) => {
    const found = made.find((other) => other.id === id)
    if (found === undefined) throw new Error(`There is no case ${id}`)
    return found
  }
  const safe = one('3-1-maximum-widened-request')
  const breaking = one('3-1-maximum-narrowed-request')
  const claimed = { ...safe, base: breaking.base, head: breaking.head }
  expect(checkCase(claimed, claimed, 1000).problem).toContain('refuted by')
  expect(
    checkCase({ ...breaking, certificate: { accepts: 'head', refuses: 'base', value: 1 } }, breaking, 1).problem,
  ).toBe('of request the base has to accept it')
  expect(
    checkCase({ ...breaking, certificate: { accepts: 'base', refuses: 'head', value: {} } }, breaking, 1).problem,
  ).toBe('the base refuses the value')
  const path = one('3-1-path-renamed')
  const message = { request: { method: 'GET', url: '/nowhere' } }
  expect(checkCase({ ...path, certificate: { accepts: 'base', refuses: 'head', message } }, path, 1).problem).toBe(
    'the base refuses the message: no operation is at GET /nowhere',
  )
})

test('answers are counted: misses first', () => {
  const answer = (said: Answer['said']): Answer => ({ said, ms: 10, cpuMs: 5, mb: 20 })
  const verdicts = ['breaking', 'safe', 'undecidable', 'policy'] as const
  const marks = verdicts.map((verdict) =>
    (['breaking', 'safe', 'undecided', 'failed'] as const).map((said) => markOf({ verdict }, answer(said))),
  )
  expect(marks).toEqual([
    ['right', 'miss', 'undecided', 'failed'],
    ['false alarm', 'right', 'undecided', 'failed'],
    ['right', 'miss', 'right', 'failed'],
    ['open', 'open', 'open', 'open'],
  ])
  const [first, second] = stored.filter(({ verdict }) => verdict === 'breaking')
  if (first === undefined || second === undefined) throw new Error('There are no breaking cases')
  const score = (tool: string, said: readonly [Answer['said'], Answer['said']]) =>
    toolScore(tool, '1', [
      [first, answer(said[0])],
      [second, answer(said[1])],
    ])
  const table = tableOf([score('one', ['safe', 'breaking']), score('two', ['breaking', 'out of time'])])
  expect(table.split('\n').slice(2, 4)).toEqual([
    '| atoms | two | 2 | 0 | 0 | 0 | 1 | 10 | 10 | 5 | 20 |',
    '| atoms | one | 2 | 1 | 0 | 0 | 0 | 10 | 10 | 5 | 20 |',
  ])
})

test('the benchmark is a project of its own: it imports nothing outside of its folder', async () => {
  const outside: string[] = []
  const runners: string[] = []
  for (const path of new Bun.Glob('**/*.ts').scanSync({ cwd: folder })) {
    if (/^(\.tools|node_modules|cases)\//.test(path)) continue
    const text = await Bun.file(join(folder, path)).text()
    const depth = path.split('/').length
    for (const [, from = ''] of text.matchAll(/from '(\.[^']+)'/g))
      if (from.split('../').length > depth) outside.push(`${path}: ${from}`)
    if (path.startsWith('runners/') && text.trimEnd().split('\n').length > 40 && path !== 'runners/runner.ts')
      runners.push(path)
  }
  expect(outside).toEqual([])
  // A runner that needs more than forty lines decides too much.
  expect(runners).toEqual([])
  expect(tracks).toContain('atoms')
})
