/**
 * Every option of the import commands (spec.md 4.15), one row each: what is run, how it ends, and what can then be read back. Each row is
 * tried on the local workspace and on a service.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { registry } from '../../../cli/registry.gen.ts'
import { runCommand } from '../../fixtures/run-command.ts'
import {
  arazzoText,
  openapiText,
  openImportSetup,
  plainText,
  swaggerText,
  type ImportSetup,
  type Way,
} from '../../fixtures/import-setup.ts'

let setup: ImportSetup
beforeAll(async () => {
  setup = await openImportSetup()
})
afterAll(() => setup.close())

const common = [
  'dry-run',
  'project-name',
  'project-name-field',
  'version',
  'project-id',
  'project-slug',
  'version-slug',
  'publish',
  'visibility',
  'wait',
  'poll-interval',
  'force',
  'import-timeout',
  'min-grade',
  'fail-on',
] as const
const running = ['dry-run', 'import-timeout', 'wait', 'poll-interval', 'min-grade', 'fail-on'] as const

/** What spec.md 4.15 names, by command. */
const specified: Readonly<Record<string, readonly string[]>> = {
  openapi: common,
  swagger: common,
  arazzo: [...common, 'version-id'],
  auto: [...common, 'version-id', 'as', 'name', 'description', 'link-project-property', 'bulk', 'override'],
  git: ['ref', 'path', 'root', 'format', ...running],
  'json-schema': ['as', 'name', 'description', 'project-id', 'version-id', 'link-project-property', 'dry-run'],
  'json-schema-type': ['dry-run', 'name', 'description', 'publish', 'visibility'],
  preflight: ['file', 'url', 'format', 'root', 'target', 'min-grade', 'fail-on'],
}

const helpOf = async (words: string): Promise<string> =>
  (await runCommand(['import', ...words.split(' ').filter(Boolean), '--help'], registry)).stdout

test('the help names every option', async () => {
  for (const [name, options] of Object.entries(specified)) {
    const help = await helpOf(name)
    for (const option of options)
      expect({ name, option, found: help.includes(`--${option}`) }).toMatchObject({ found: true })
  }
  const index = await helpOf('')
  expect(index).toContain('--list')
  for (const name of Object.keys(specified)) expect(index).toContain(`  ${name} `)
  for (const name of ['openapi', 'swagger', 'arazzo', 'auto', 'git'])
    expect(await helpOf(name)).toContain('--wait/--no-wait')
})

test('what is not available is refused by its name, with an alternative', async () => {
  setup.write('any.json', openapiText('Any'))
  const refused: readonly (readonly [line: string, name: string, instead: string])[] = [
    ['auto any.json --link-project-property --bulk', '--link-project-property', 'cannot be used with --bulk'],
    [
      'json-schema any.json --link-project-property --no-wait',
      '--link-project-property',
      'cannot be used with --no-wait',
    ],
    ['git https://example.com/x.git --repository-id 1', 'repository 1', 'svc repository list'],
    ['git https://example.com/x.git --linked-account-id=1', 'linked account 1', 'svc account list'],
  ]
  for (const way of setup.ways)
    for (const [line, name, instead] of refused) {
      const { exit, stdout, stderr } = await way.run(['import', ...line.split(' ')])
      expect({ line, exit, stdout }).toEqual({ line, exit: 2, stdout: '' })
      expect(stderr).toContain(name)
      expect(stderr).toContain(instead)
    }
})

/** A row: the words behind "svc import <command> FILE", how it ends, and what is seen afterwards. */
interface Row {
  readonly option: string
  readonly words: readonly string[]
  readonly exit: number
  /** What goes into the document. */
  readonly info?: object
  readonly plain?: boolean
  /** The project that must exist afterwards ("TITLE" by default), or null where there must be none. */
  readonly project?: string | null
  /** What its version must be like. */
  readonly version?: object
}

const named = { 'x-names': { 'team name': 'Field of TITLE' } }

const rows: readonly Row[] = [
  { option: 'none', words: [], exit: 0, version: { label: '1.0.0', status: 'draft', visibility: 'private' } },
  { option: 'dry-run', words: ['--dry-run'], exit: 0, project: null },
  {
    option: 'project-name',
    words: ['--project-name', 'Given TITLE'],
    exit: 0,
    project: 'given-TITLE',
    version: {},
  },
  {
    option: 'project-name-field',
    words: ['--project-name-field', 'info.x-owner'],
    info: { 'x-owner': 'Dotted TITLE' },
    exit: 0,
    project: 'dotted-TITLE',
    version: {},
  },
  {
    option: 'project-name-field',
    words: ['--project-name-field', '/info/x-names/team name'],
    info: named,
    exit: 0,
    project: 'field-of-TITLE',
    version: {},
  },
  {
    option: 'project-name-field',
    words: [],
    info: { 'x-owner': 'Told TITLE', 'x-svc-project-name-field': 'info.x-owner' },
    exit: 0,
    project: 'told-TITLE',
    version: {},
  },
  { option: 'version', words: ['--version', '7.1.0'], exit: 0, version: { label: '7.1.0' } },
  { option: 'project-slug', words: ['--project-slug', 'slug-TITLE'], exit: 0, project: 'slug-TITLE', version: {} },
  { option: 'project-slug', words: ['--project-slug', 'No Slug'], exit: 2, project: null },
  { option: 'version-slug', words: ['--version-slug', 'first'], exit: 0, version: { label: '1.0.0', slug: 'first' } },
  {
    option: 'publish',
    words: ['--publish', 'public'],
    exit: 0,
    version: { status: 'published', visibility: 'public' },
  },
  {
    option: 'publish',
    words: ['--publish', 'private'],
    exit: 0,
    version: { status: 'published', visibility: 'private' },
  },
  { option: 'publish', words: ['--publish', 'everyone'], exit: 2, project: null },
  {
    option: 'visibility',
    words: ['--visibility', 'public'],
    exit: 0,
    version: { status: 'published', visibility: 'public' },
  },
  { option: 'visibility', words: ['--visibility', 'public', '--publish', 'private'], exit: 2, project: null },
  { option: 'force', words: ['--publish', 'public', '--force'], exit: 0, version: { status: 'published' } },
  { option: 'force', words: ['--force'], exit: 2, project: null },
  { option: 'wait', words: ['--wait'], exit: 0, version: {} },
  { option: 'poll-interval', words: ['--poll-interval', '0.05'], exit: 0, version: {} },
  { option: 'poll-interval', words: ['--poll-interval', 'soon'], exit: 2, project: null },
  { option: 'import-timeout', words: ['--import-timeout', '30'], exit: 0, version: {} },
  { option: 'import-timeout', words: ['--import-timeout', '-1'], exit: 2, project: null },
  { option: 'min-grade', words: ['--min-grade', 'F'], exit: 0, version: {} },
  { option: 'min-grade', words: ['--min-grade', 'G'], exit: 2, project: null },
  { option: 'fail-on', words: ['--fail-on', 'error'], exit: 0, version: {} },
  { option: 'fail-on', words: ['--fail-on', 'info'], plain: true, exit: 4, project: null },
]

const commands = [
  { name: 'openapi', text: openapiText },
  { name: 'swagger', text: swaggerText },
  { name: 'arazzo', text: arazzoText },
  { name: 'auto', text: openapiText },
] as const

const versionsOf = async (way: Way, project: string): Promise<readonly unknown[] | null> => {
  const { exitCode, data } = await way.ask(['version', 'list', project])
  return exitCode === 0 ? (data as unknown[]) : null
}

const table = commands.flatMap(({ name, text }) =>
  rows.flatMap((row, index) => {
    // No rule but that of its structure looks at an Arazzo document: a valid one has no findings.
    return row.plain === true && name === 'arazzo' ? [] : [{ name, text, row, index }]
  }),
)

test.each(table.map((it) => [`svc import ${it.name} ${it.row.words.join(' ') || '(none)'}`, it] as const))(
  '%s',
  async (_, { name, text, row, index }) => {
    const title = `${name}${index}`
    const fill = (word: string): string => word.replaceAll('TITLE', title)
    const info = JSON.parse(fill(JSON.stringify(row.info ?? {}))) as object
    const document = text(title, '1.0.0', info)
    setup.write(`${title}.json`, row.plain ? plainText(document) : document)
    for (const way of setup.ways) {
      const { exit, stderr } = await way.run(['import', name, `${title}.json`, ...row.words.map(fill)])
      expect({ way: way.name, exit, stderr: exit === row.exit ? '' : stderr }).toEqual({
        way: way.name,
        exit: row.exit as never,
        stderr: '',
      })
      const versions = await versionsOf(way, fill(row.project ?? 'TITLE'))
      if (row.project === null) expect({ way: way.name, versions }).toEqual({ way: way.name, versions: null })
      else expect(versions).toMatchObject([row.version ?? {}])
    }
  },
  60_000,
)

test('every option of the four has a row', () => {
  const elsewhere = ['project-id']
  expect(common.filter((option) => !elsewhere.includes(option) && !rows.some((row) => row.option === option))).toEqual(
    [],
  )
})

test('--project-name-field is kept in the rendered document, so that a re-import needs no option', async () => {
  for (const { name, text } of commands) {
    setup.write(`kept-${name}.json`, text('Kept', '1.0.0', { 'x-owner': `Owner of ${name}` }))
    for (const way of setup.ways) {
      await way.run(['import', name, `kept-${name}.json`, '--project-name-field', 'info.x-owner'])
      const { data } = await way.ask(['version', 'show', `owner-of-${name}`, '1.0.0'])
      expect(data).toMatchObject({ provenance: { project_name_field: 'info.x-owner' } })
      const rendered = await way.render(name === 'arazzo' ? 'arazzo' : 'openapi', `owner-of-${name}`, '1.0.0')
      expect(JSON.parse(rendered)).toMatchObject({ info: { 'x-svc-project-name-field': 'info.x-owner' } })
      setup.write(`again-${name}.json`, rendered)
      await way.run(['import', 'auto', `again-${name}.json`, '--version', '2.0.0'])
      expect(await versionsOf(way, `owner-of-${name}`)).toMatchObject([{ label: '2.0.0' }, { label: '1.0.0' }])
    }
  }
})

const idsOf = async (way: Way, project: string): Promise<{ project: string; version: string }> => {
  const { data } = await way.ask(['version', 'list', project])
  const [version] = data as { id: string; project_id: string }[]
  return { project: version?.project_id ?? '', version: version?.id ?? '' }
}

test('--project-id imports into that project, whatever the title; what is no UUID is refused', async () => {
  for (const { name, text } of commands) {
    setup.write(`into-${name}.json`, text(`Into ${name}`))
    setup.write(`other-${name}.json`, text('Quite another title', '2.0.0'))
    for (const way of setup.ways) {
      await way.run(['import', name, `into-${name}.json`])
      const { project } = await idsOf(way, `into-${name}`)
      expect((await way.run(['import', name, `other-${name}.json`, '--project-id', project])).exit).toBe(0)
      expect(await versionsOf(way, `into-${name}`)).toMatchObject([{ label: '2.0.0' }, { label: '1.0.0' }])
      expect((await way.run(['import', name, `other-${name}.json`, '--project-id', 'into'])).exit).toBe(2)
      const nobody = '00000000-0000-4000-8000-000000000000'
      expect((await way.run(['import', name, `other-${name}.json`, '--project-id', nobody])).exit).toBe(6)
      expect(await versionsOf(way, 'quite-another-title')).toBeNull()
    }
  }
})

test('one run writes every report, then sets the exit code', async () => {
  setup.write('reported.json', plainText(openapiText('Reported')))
  for (const way of setup.ways) {
    const reports = [
      'sarif',
      'junit',
      'markdown',
      'gitlab',
      'github-actions',
      'html',
      'json',
      'ndjson',
      'spectral-json',
      'text',
    ]
    const words = reports.flatMap((id) => ['--report', `${id}=out-${way.name}/${id}`])
    const { exit } = await way.run(['import', 'openapi', 'reported.json', '--fail-on', 'info', ...words])
    expect(exit).toBe(4)
    const read = (id: string): string => readFileSync(join(setup.folder, `out-${way.name}`, id), 'utf8')
    for (const id of reports) expect({ id, told: read(id).includes('info-contact') }).toEqual({ id, told: true })
    const sarif = JSON.parse(read('sarif')) as { runs: { results: { locations: unknown[] }[] }[] }
    expect(sarif.runs[0]?.results[0]?.locations[0]).toMatchObject({
      physicalLocation: { artifactLocation: { uri: 'reported.json' } },
    })
    const direct = await way.run(['import', 'openapi', 'reported.json', '--report', 'ndjson'])
    expect(
      direct.stdout
        .trim()
        .split('\n')
        .every((line) => line.startsWith('{')),
    ).toBe(true)
    expect((await way.run(['import', 'openapi', 'reported.json', '--report', 'sarf'])).exit).toBe(2)
  }
})

test('of a document that cannot be read the reports say so', async () => {
  setup.write('torn.yaml', 'openapi: 3.1.0\ninfo: [\n')
  for (const way of setup.ways) {
    const { exit, stdout } = await way.run(['import', 'openapi', 'torn.yaml', '--report', 'junit'])
    expect(exit).toBe(6)
    expect(stdout).toContain('<failure')
  }
})
