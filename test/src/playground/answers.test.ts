/** The playground answers what the commands print. */
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registry } from '../../../cli/registry.gen.ts'
import { compareTexts } from '../../../src/playground/compare.ts'
import { containsText } from '../../../src/playground/contains.ts'
import { bundleTexts, convertText } from '../../../src/playground/convert.ts'
import { fixText } from '../../../src/playground/fix.ts'
import { lintText } from '../../../src/playground/lint.ts'
import { examples } from '../../../web/playground/examples.ts'
import { splitFiles } from '../../../web/playground/modes.ts'
import { runCommand } from '../../fixtures/run-command.ts'

const folder = join(import.meta.dir, '../../../node_modules/@readme/oas-examples')
const real = (name: string): string => readFileSync(join(folder, name), 'utf8')
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe('lint is svc lint - --format json', () => {
  test.each([
    ['petstore', real('3.1/json/petstore.json')],
    ['star trek', real('3.0/json/star-trek.json')],
    ['YAML', real('3.0/yaml/petstore.yaml')],
    ['a suppression', `# svc-ignore-file info-contact: no one to ask\n${real('3.0/yaml/petstore.yaml')}`],
    ['no JSON', '{"openapi": "3.1.0",'],
    ['no description', 'hello: world\n'],
    ['nothing', ''],
  ])('%s', async (_, text) => {
    const printed = await runCommand(['lint', '-', '--format', 'json'], registry, { stdin: text })
    expect(plain(await lintText(text))).toEqual(JSON.parse(printed.stdout))
  })

  test('with a guide that svc comes with', async () => {
    const text = real('3.0/json/petstore.json')
    const printed = await runCommand(['lint', '-', '--guide', 'spectral:oas', '--format', 'json'], registry, {
      stdin: text,
    })
    expect(plain(await lintText(text, { guide: 'spectral:oas' }))).toEqual(JSON.parse(printed.stdout))
  })

  test('an unknown guide is refused by name', () => {
    expect(lintText('a: 1', { guide: 'svc:none' })).rejects.toThrow('Unknown style guide "svc:none"')
  })
})

describe('compare is svc diff base head --format json', () => {
  test.each(examples.filter(({ mode }) => mode === 'compare').map(({ title, texts }) => [title, texts] as const))(
    '%s',
    async (_, [base = '', head = '']) => {
      const cwd = await mkdtemp(join(tmpdir(), 'svc-playground-'))
      try {
        await Promise.all([writeFile(join(cwd, 'base'), base), writeFile(join(cwd, 'head'), head)])
        const printed = await runCommand(
          ['diff', 'base', 'head', '--format', 'json', '--as-of', '2026-01-31'],
          registry,
          { cwd },
        )
        const answer = compareTexts({ name: 'base', text: base }, { name: 'head', text: head }, '2026-01-31')
        expect(plain(answer)).toEqual(JSON.parse(printed.stdout))
      } finally {
        await rm(cwd, { recursive: true })
      }
    },
  )

  test('what is in another file is not passed over', () => {
    const text = 'openapi: 3.1.0\ninfo: {title: a, version: "1"}\npaths: {/a: {$ref: a.yaml}}\n'
    expect(() => compareTexts({ name: 'base', text }, { name: 'head', text }, '2026-01-31')).toThrow(
      'base:3:20: "a.yaml" is in another file',
    )
  })

  test('what cannot be read is refused with its place', () => {
    expect(() => compareTexts({ name: 'base', text: '{' }, { name: 'head', text: '{}' }, '2026-01-31')).toThrow(
      /base:1:2: /,
    )
  })
})

test.each(examples.map((example) => [example.title, example] as const))(
  'the example "%s" shows what it says',
  async (_, { mode, texts: [first = '', second = ''], option, expected }) => {
    const answers: Record<string, () => unknown> = {
      lint: async () => (await lintText(first)).findings.map(({ code }) => code),
      compare: () => [
        compareTexts({ name: 'base', text: first }, { name: 'head', text: second }, '2026-01-31').summary.outcome,
      ],
      schemas: () => [String(containsText(first, second).contains)],
      convert: () => [
        /^openapi: "?'?(\d\.\d)/.exec(convertText({ name: 'a', text: first }, option as never).text)?.[1],
      ],
    }
    expect(await answers[mode]?.()).toContain(expected)
  },
)

describe('schemas', () => {
  test('what is not contained has a value that shows it', () => {
    expect(containsText('{"type": "integer"}', '{"minimum": 0}')).toMatchObject({ contains: false })
    expect(containsText('{"type": "integer", "minimum": 1}', '{"minimum": 0}')).toEqual({ contains: true })
  })

  test('what is no schema is refused by its name', () => {
    expect(() => containsText('openapi: 3.1.0\ninfo: {title: a, version: "1"}\npaths: {}', '{}')).toThrow(
      '"A" is not a JSON Schema',
    )
  })
})

describe('several files', () => {
  const pasted = `openapi: 3.1.0
info: {title: a, version: "1"}
paths:
  /a:
    get:
      responses:
        '200':
          description: ok
          content: {application/json: {schema: {$ref: schemas/pet.yaml}}}
# file: schemas/pet.yaml
type: object
properties: {name: {type: string}}
`
  test('each begins behind a line with its name', () => {
    expect(splitFiles(pasted).map(({ name }) => name)).toEqual(['openapi.yaml', 'schemas/pet.yaml'])
    expect(splitFiles(`# file: a.json\n{}\n# file: b.json\n[]\n`)).toEqual([
      { name: 'a.json', text: '{}\n' },
      { name: 'b.json', text: '[]\n' },
    ])
    expect(splitFiles(' \n')).toEqual([])
  })

  test('become one, which refers to nothing outside', async () => {
    const [first, ...others] = splitFiles(pasted)
    if (first === undefined) throw new Error('no file')
    const { text } = bundleTexts(first, others)
    expect(text).toContain('$ref: "#/components/schemas/pet"')
    const { findings } = await lintText(text)
    expect(findings.filter(({ code }) => code === 'invalid-ref')).toEqual([])
  })
})

test('fixes change nothing that clients notice', async () => {
  const text = real('3.0/yaml/petstore.yaml').replace('tags:', 'tags: []\nx-old:')
  const { text: fixed, notes } = await fixText(text)
  expect(notes.length > 0).toBe(fixed !== text)
  const { outcome } = compareTexts({ name: 'base', text }, { name: 'head', text: fixed }, '2026-01-31').summary
  expect(['unchanged', 'docs-only']).toContain(outcome)
  expect(await fixText('{')).toEqual({ text: '{', notes: [] })
})
