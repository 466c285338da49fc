/** `svc watch` as a process: what it prints on saves, what it survives, and how it ends. */
import { afterEach, expect, test } from 'bun:test'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dir, '..', '..')
const made: (() => void)[] = []
afterEach(() => {
  for (const undo of made.splice(0)) undo()
})

interface Line {
  readonly event: string
  readonly [key: string]: unknown
}

const start = (files: Readonly<Record<string, string>>, argv: readonly string[]) => {
  const cwd = mkdtempSync(join(tmpdir(), 'svc-watch-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
  const child = Bun.spawn([process.execPath, 'run', join(root, 'cli', 'main.ts'), 'watch', ...argv], {
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: cwd },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  made.push(() => {
    child.kill('SIGKILL')
    rmSync(cwd, { recursive: true, force: true })
  })
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  const next = async (): Promise<string> => {
    for (;;) {
      const end = rest.indexOf('\n')
      if (end !== -1) {
        const line = rest.slice(0, end)
        rest = rest.slice(end + 1)
        return line
      }
      const { value, done } = await reader.read()
      if (done) return ''
      rest += value
    }
  }
  const event = async (): Promise<Line> => JSON.parse(await next()) as Line
  const path = (name: string): string => join(cwd, name)
  /** Saves as editors do: no one reads half of it. */
  const save = (name: string, text: string): void => {
    writeFileSync(path('save.tmp'), text)
    renameSync(path('save.tmp'), path(name))
  }
  return { child, event, next, path, save }
}

const api = (type: string, more = ''): string => `openapi: 3.1.0
info: {title: Pets, version: 1.0.0}
paths:
  /pets:
    get:
      operationId: list
      parameters: [{name: limit, in: query, schema: {type: ${type}}}]
      responses:
        '200': {$ref: 'parts.yaml#/ok'}
${more}`
const parts = 'ok: {description: All pets}\n'

type Listed = readonly { readonly code?: string; readonly message?: string; readonly severity: string }[]
/** What a save changed, in a few words. */
const brief = ({ event, ...line }: Line) => {
  if (event !== 'save') return { event, ...line }
  const { documents, findings } = line as unknown as {
    documents: { source: string; event: string; comparison: { added: Listed; gone: Listed } | null }[]
    findings: { added: Listed; gone: Listed }
  }
  const told = (list: Listed): string[] => list.map(({ code, severity }) => `${severity} ${code}`)
  const changes = (list: Listed | undefined): string[] => (list ?? []).map(({ severity }) => severity)
  return {
    documents: documents.map(({ source, event: what, comparison }) => [
      `${source} ${what}`,
      changes(comparison?.added),
      changes(comparison?.gone),
    ]),
    added: told(findings.added),
    gone: told(findings.gone),
  }
}

test('the deadline is of the work on a document, not of the time in which nothing is saved', async () => {
  const { event, save } = start({ 'api.yaml': api('integer'), 'parts.yaml': parts }, [
    'api.yaml',
    '--format',
    'ndjson',
    '--deadline',
    '3s',
  ])
  expect((await event()).event).toBe('start')
  await Bun.sleep(4000)
  save('api.yaml', api('string'))
  expect((await event()).event).toBe('save')
})

test('saves, referenced files, deletion and atomic renames; Ctrl-C ends with 130', async () => {
  const { child, event, path, save } = start({ 'api.yaml': api('[integer, string]'), 'parts.yaml': parts }, [
    'api.yaml',
    '--format',
    'ndjson',
  ])
  expect((await event()).event).toBe('start')
  save('api.yaml', api('integer'))
  expect(brief(await event())).toEqual({ documents: [['api.yaml changed', ['breaking'], []]], added: [], gone: [] })
  save('parts.yaml', 'ok: {}\n')
  expect(brief(await event())).toEqual({
    documents: [['api.yaml changed', ['docs-only'], []]],
    added: ['error oas3-schema'],
    gone: [],
  })
  rmSync(path('parts.yaml'))
  expect(brief(await event())).toEqual({
    documents: [['api.yaml changed', [], []]],
    added: ['error invalid-ref'],
    gone: ['error oas3-schema'],
  })
  save('parts.yaml', parts)
  expect(brief(await event())).toEqual({
    documents: [['api.yaml changed', [], ['docs-only']]],
    added: [],
    gone: ['error invalid-ref'],
  })
  rmSync(path('api.yaml'))
  expect(await event()).toEqual({
    event: 'error',
    code: 'file-not-found',
    message: expect.stringContaining('api.yaml'),
  })
  save('api.yaml', api('[integer, string]', 'tags: ['))
  expect(brief(await event())).toEqual({
    documents: [['api.yaml changed', [], []]],
    added: ['error parser'],
    gone: [],
  })
  save('api.yaml', api('[integer, string]'))
  expect(brief(await event())).toEqual({
    documents: [['api.yaml changed', [], ['breaking']]],
    added: [],
    gone: ['error parser'],
  })
  child.kill('SIGINT')
  expect(await child.exited).toBe(130)
})

test('the style guide and new documents of a folder; --count ends it', async () => {
  const guide = (severity: string): string =>
    `rules: {no-list: {given: $.paths..operationId, severity: ${severity}, then: {function: falsy}}}\n`
  const { child, event, path, save } = start(
    { 'api.yaml': api('integer'), 'parts.yaml': parts, '.spectral.yaml': guide('warn') },
    ['--format', 'ndjson', '--count', '3', '--poll', '100ms'],
  )
  expect((await event()).event).toBe('start')
  save('.spectral.yaml', guide('error'))
  expect(brief(await event())).toEqual({ documents: [], added: ['error no-list'], gone: ['warning no-list'] })
  save('two.yaml', api('string').replace('operationId: list', 'deprecated: true'))
  expect(brief(await event())).toEqual({ documents: [['two.yaml added', [], []]], added: [], gone: [] })
  rmSync(path('two.yaml'))
  expect(brief(await event())).toEqual({ documents: [['two.yaml removed', [], []]], added: [], gone: [] })
  expect(await child.exited).toBe(0)
})

test('plain lines, and what cannot be watched', async () => {
  const { child, next, save } = start({ 'api.yaml': api('[integer, string]'), 'parts.yaml': parts }, [
    'api.yaml',
    '--count',
    '1',
  ])
  expect(await next()).toBe('Watching 1 document: 0 errors, 5 warnings, 1 info, 0 hints. Ctrl-C ends it.')
  expect(await next()).toBe('  api.yaml: Grade B (84.5 of 100).')
  save('api.yaml', api('integer'))
  expect(await next()).toMatch(/^\d\d:\d\d:\d\d api\.yaml$/)
  expect(await next()).toBe('  The findings are the same (6). Grade B (84.5 of 100).')
  expect(await next()).toStartWith('  + breaking  GET /pets: ')
  expect(await next()).toBe('  Compared with the start: Clients of the base document can fail with the head document.')
  expect(await child.exited).toBe(0)
  const refused = start({}, ['-'])
  expect(await refused.child.exited).toBe(2)
  expect(await new Response(refused.child.stderr).text()).toContain('Only files of this machine can be watched')
})

test('a change of an overlay alone is a change of its API', async () => {
  const overlay = (type: string): string =>
    `overlay: 1.1.0\ninfo: {title: O, version: 1.0.0}\nactions:\n  - {target: "$.info", update: {x-a: ${type}}}\n`
  const files = {
    'api.yaml': api('string'),
    'parts.yaml': parts,
    'o.yaml': overlay('a'),
    'svc.yaml': 'version: 1\napis:\n  pets: {root: api.yaml, overlays: [o.yaml]}\n',
  }
  const watch = start(files, ['--format', 'ndjson'])
  expect((await watch.event()).event).toBe('start')
  watch.save('o.yaml', overlay('a').replace('"$.info", update: {x-a: a}', `"$.paths['/pets']", remove: true`))
  const { documents } = brief(await watch.event())
  expect(documents).toEqual([['api.yaml changed', ['breaking', 'docs-only'], []]])
})
