/** Documents that are dear to compare, to lint or to convert end within limits of processor time and memory, in the program as people run it. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Json } from '../../src/kernel/json.ts'
import type { Measured } from '../fixtures/measured.ts'
import { shapes } from '../src/diff/hostile.ts'

const root = join(import.meta.dir, '../..')
const program =
  process.env.SVC_BINARY === undefined || process.env.SVC_BINARY === ''
    ? [process.execPath, 'run', join(root, 'cli/main.ts')]
    : [join(root, process.env.SVC_BINARY)]

/** Of the processor, so that a busy machine changes nothing; without bounds these run for minutes or for ever. */
const seconds = 5
const mostMegabytes = 500
/** What ends a run that has no end. */
const killedAfterMs = 60_000

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bounded-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Envelope {
  readonly summary?: { readonly verdict?: string }
  readonly changes?: readonly { readonly message: string }[]
  readonly data: object | null
  readonly error: { readonly code: string } | null
}

/** Runs the program on files. */
function run(...args: string[]): Omit<Measured, 'stdout'> & { readonly output: Envelope } {
  const { stdout } = Bun.spawnSync(
    [
      process.execPath,
      'run',
      join(root, 'test/fixtures/measured.ts'),
      String(killedAfterMs),
      ...program,
      ...args,
      '--json',
    ],
    { cwd: folder, stdout: 'pipe', stderr: 'ignore' },
  )
  const { stdout: printed, ...took } = JSON.parse(stdout.toString()) as Measured
  return { ...took, output: JSON.parse(printed) as Envelope }
}

const write = (name: string, content: Json | string): string => {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

/** What `--exit-code` answers. */
const exits: Readonly<Record<string, number>> = { safe: 11, unknown: 12, breaking: 13 }

/** The shapes that took longest or never ended, each with its size and verdict. */
const compared: readonly (readonly [shape: string, size: number, verdict: string])[] = [
  ['mutual-anyOf', 60, 'safe'],
  ['mutual-oneOf', 60, 'unknown'],
  ['mutual-deep', 60, 'breaking'],
  ['mutual-deep-oneOf', 60, 'unknown'],
  ['chain-oneOf', 300, 'unknown'],
  ['fork-oneOf', 60, 'breaking'],
  ['fork-unevaluated', 100, 'breaking'],
  ['nest-anyOf', 200, 'breaking'],
  ['union-texts', 200, 'breaking'],
  ['union-required', 200, 'breaking'],
  ['patterns-of-names', 60, 'unknown'],
  ['pattern-counted', 60, 'unknown'],
  ['enum-many', 60, 'breaking'],
  ['discriminator-back', 200, 'breaking'],
]

describe('svc diff', () => {
  for (const [name, size, verdict] of compared)
    test(
      `${name} of ${size}`,
      () => {
        const [base, head] = shapes[name]!(size)
        const ran = run('diff', write('base.json', base), write('head.json', head), '--exit-code')
        expect({ exit: ran.exit, verdict: ran.output.summary?.verdict }).toEqual({
          exit: exits[verdict] ?? null,
          verdict,
        })
        expect(ran.cpu).toBeLessThan(seconds)
        expect(ran.megabytes).toBeLessThan(mostMegabytes)
        if (verdict === 'unknown')
          expect(ran.output.changes?.some(({ message }) => /\(.*limit of steps.*\)$/.test(message))).toBe(true)
      },
      killedAfterMs * 2,
    )
})

const range = <Item>(count: number, make: (i: number) => Item): Item[] =>
  Array.from({ length: count }, (_, i) => make(i))
const record = (entries: readonly (readonly [string, Json])[]): Json => Object.fromEntries(entries)
const described = (parts: { readonly [key: string]: Json }): Json => ({
  openapi: '3.1.0',
  info: { title: 'T', version: '1' },
  paths: {},
  ...parts,
})

/** Documents to lint by what there is many of; twice as many may take little more than twice the time. */
const linted: Readonly<Record<string, (n: number) => Json | string>> = {
  'references in a chain': (n) =>
    described({
      components: {
        schemas: {
          R: { allOf: [{ $ref: '#/components/schemas/S0' }], example: 5 },
          ...(record(
            range(2 * n, (i) => [
              `S${i}`,
              i < 2 * n - 1 ? { $ref: `#/components/schemas/S${i + 1}` } : { type: 'string' },
            ]),
          ) as object),
        },
      },
    }),
  'unused components': (n) =>
    described({ components: { schemas: record(range(3 * n, (i) => [`S${i}`, { type: 'object' }])) } }),
  'values twice in an enum': (n) =>
    described({ components: { schemas: { A: { enum: range(10 * n, (i) => `v${i % (7 * n)}`) } } } }),
  'operations of one name': (n) =>
    described({ paths: record(range(n, (i) => [`/p${i}`, { get: { operationId: 'same', responses: {} } }])) }),
  'tags of one name': (n) => described({ tags: range(5 * n, (i) => ({ name: `t${i % n}` })) }),
  scripts: (n) => described({ info: { title: 'T', version: '1', description: '<script '.repeat(10 * n) } }),
  'entries of a flow map in YAML': (n) =>
    `openapi: 3.1.0\ninfo: { title: T, version: "1" }\npaths: {}\nx-map: {${range(50 * n, (i) => `k${i}: ${i}`).join(', ')}}\n`,
  'steps of a workflow': (n) => ({
    arazzo: '1.0.1',
    info: { title: 'T', version: '1' },
    sourceDescriptions: [{ name: 's', url: 'https://example.com', type: 'openapi' }],
    workflows: [
      {
        workflowId: 'w',
        steps: range(n, (i) => ({
          stepId: `s${i}`,
          operationId: 'x',
          outputs: { a: '$response.body' },
          parameters: [{ name: 'q', in: 'query', value: `$steps.s${Math.max(i - 1, 0)}.outputs.a` }],
        })),
      },
    ],
  }),
}

describe('svc lint', () => {
  for (const [name, make] of Object.entries(linted))
    test(
      name,
      () => {
        const lint = (size: number) => {
          const ran = run('lint', write('api.txt', make(size)))
          return { ...ran, error: ran.output.error?.code ?? null }
        }
        const [one, two] = [lint(2000), lint(4000)]
        expect([one.error, two.error]).toEqual([null, null])
        expect(two.cpu).toBeLessThan(seconds)
        expect(two.megabytes).toBeLessThan(mostMegabytes)
        // What starting takes is not part of it.
        expect(two.cpu).toBeLessThan(3 * one.cpu + 0.3)
      },
      killedAfterMs * 2,
    )
})

const schemas = (count: number, make: (i: number) => Json): Json =>
  described({ components: { schemas: record(range(count, (i) => [`S${i}`, make(i)])) } })
const to = (i: number): Json => ({ $ref: `#/components/schemas/S${i}` })

/** Documents to write again, each with very many of one thing; what doubles with each schema has one size. */
const written = {
  'references in a chain': (n: number) => schemas(2 * n, (i) => (i < 2 * n - 1 ? to(i + 1) : { type: 'string' })),
  'schemas that double': () => schemas(60, (i) => (i < 59 ? { allOf: [to(i + 1), to(i + 1)] } : { type: 'string' })),
  'schemas that refer to each other': (n: number) =>
    schemas(n, (i) => ({ properties: record(range(3, (k) => [`p${k}`, to((3 * i + k) % n)])) })),
  conditions: (n: number) =>
    schemas(n, () => ({
      if: { type: 'string' },
      then: { minLength: 1 },
      else: { type: ['integer', 'null'] },
      dependentSchemas: { a: { required: ['b'] } },
    })),
  operations: (n: number) =>
    described({
      paths: record(
        range(n, (i) => [
          `/p${i}`,
          { get: { tags: ['t'], responses: { 200: { description: '', content: { 'a/b': { schema: to(0) } } } } } },
        ]),
      ),
      components: { schemas: { S0: { type: 'object', properties: record(range(50, (i) => [`p${i}`, {}])) } } },
    }),
  'marks of Markdown': (n: number) =>
    described({
      info: { title: 'T', version: '1', description: `${'<b '.repeat(10 * n)}${'['.repeat(n)}${'*a_'.repeat(n)}` },
    }),
} as const

/** What is done with each, and what is refused. */
const rewriting: readonly (readonly [words: string, shape: keyof typeof written, error?: string])[] = [
  ['bundle', 'references in a chain'],
  ['bundle', 'schemas that refer to each other'],
  ['bundle --dereference', 'references in a chain'],
  ['bundle --dereference', 'schemas that refer to each other'],
  ['bundle --dereference', 'schemas that double', 'document-invalid'],
  ['convert --to openapi-3.0', 'references in a chain'],
  ['convert --to openapi-3.0', 'conditions'],
  ['convert --to json-schema', 'schemas that double'],
  ['convert --to json-schema', 'schemas that refer to each other'],
  ['export --as html', 'references in a chain'],
  ['export --as html', 'schemas that double'],
  ['export --as html', 'operations'],
  ['export --as html', 'marks of Markdown'],
  ['export --as markdown', 'schemas that refer to each other'],
  ['export --as markdown', 'schemas that double'],
  ['export --as markdown', 'marks of Markdown'],
  ['export --as json-schema', 'schemas that double'],
  ['stats', 'references in a chain'],
  ['stats', 'schemas that double'],
  ['stats', 'schemas that refer to each other'],
]

describe('svc bundle, convert, export and stats', () => {
  for (const [words, shape, error = null] of rewriting)
    test(
      `${words}: ${shape}`,
      () => {
        const make = (size: number) => {
          const ran = run(...words.split(' '), write('api.json', written[shape](size)))
          return { ...ran, told: [ran.output.error?.code ?? null, ran.exit === 0 && ran.output.data !== null] }
        }
        const [one, two] = [make(1500), make(3000)]
        expect([one.told, two.told]).toEqual([
          [error, error === null],
          [error, error === null],
        ])
        expect(two.cpu).toBeLessThan(seconds)
        expect(two.megabytes).toBeLessThan(mostMegabytes)
        expect(two.cpu).toBeLessThan(3 * one.cpu + 0.3)
      },
      killedAfterMs * 2,
    )
})
