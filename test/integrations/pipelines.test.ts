/** Runs the steps of what is shipped for pipelines, as the pipeline would: the action, the component, the hooks. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dir, '../..')
let folder = ''

const specification = (least: number): string =>
  `openapi: 3.1.0\ninfo: { title: Shop, version: 1.0.0 }\npaths:\n  /orders:\n    get:\n      operationId: listOrders\n      parameters:\n        - { name: limit, in: query, schema: { type: integer, minimum: ${least} } }\n      responses: { '200': { description: fine } }\n`

const git = (...args: string[]): void => {
  const result = Bun.spawnSync(['git', '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: folder })
  if (result.exitCode !== 0) throw new Error(result.stderr.toString())
}

const run = (script: string, env: Record<string, string>, args: readonly string[] = []) => {
  const path = `${join(folder, 'bin')}:${process.env.PATH ?? ''}`
  const result = Bun.spawnSync(['sh', '-c', script, ...args], {
    cwd: folder,
    env: { ...process.env, GITHUB_ACTIONS: '', GITHUB_BASE_REF: '', ...env, PATH: path },
  })
  return { code: result.exitCode, out: result.stdout.toString(), err: result.stderr.toString() }
}

const inputsOf = (text: string, given: Readonly<Record<string, string>>, pattern: RegExp): string =>
  text.replaceAll(pattern, (_, name: string) => given[name] ?? '')

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-pipelines-'))
  mkdirSync(join(folder, 'bin'))
  const svc = join(folder, 'bin', 'svc')
  writeFileSync(svc, `#!/bin/sh\nexec "${process.execPath}" run "${join(root, 'commands/main.ts')}" "$@"\n`)
  chmodSync(svc, 0o755)
  writeFileSync(join(folder, 'openapi.yaml'), specification(1))
  writeFileSync(join(folder, 'openapi-other.yaml'), specification(1))
  git('init', '-q', '-b', 'main')
  git('add', 'openapi.yaml', 'openapi-other.yaml')
  git('commit', '-qm', 'first')
  writeFileSync(join(folder, 'openapi.yaml'), specification(5))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>
  readonly runs: { readonly steps: readonly { readonly run: string; readonly env: Readonly<Record<string, string>> }[] }
}

test('the action writes all reports, then fails', () => {
  const action = Bun.YAML.parse(readFileSync(join(root, 'action.yml'), 'utf8')) as Action
  const defaults = Object.fromEntries(Object.entries(action.inputs).map(([name, it]) => [name, it.default ?? '']))
  const perform = (given: Readonly<Record<string, string>>) => {
    const [step] = action.runs.steps
    const inputs = { ...defaults, ...given }
    const env = Object.fromEntries(
      Object.entries(step!.env).map(([name, it]) => [name, inputsOf(it, inputs, /\$\{\{ inputs\.([\w-]+) \}\}/g)]),
    )
    const outputs = { GITHUB_OUTPUT: join(folder, 'output'), GITHUB_STEP_SUMMARY: join(folder, 'summary.md') }
    return run(step!.run, { ...env, ...outputs, GITHUB_ACTION_PATH: root, GITHUB_ACTIONS: 'true' })
  }
  const failed = perform({ specification: 'openapi.yaml', base: 'HEAD:openapi.yaml' })
  expect(failed.code).toBe(4)
  for (const name of [
    'lint.sarif',
    'lint.xml',
    'lint.json',
    'diff.sarif',
    'diff.xml',
    'diff.json',
    'diff.md',
    'diff.html',
  ])
    expect(existsSync(join(folder, 'svc-reports', name))).toBe(true)
  expect(failed.out).toContain('::error file=openapi.yaml,line=')
  expect(readFileSync(join(folder, 'summary.md'), 'utf8')).toContain('1 breaking change')
  expect(readFileSync(join(folder, 'output'), 'utf8')).toBe('exit-code=4\n')
  expect(perform({ specification: 'openapi.yaml', base: 'HEAD:openapi.yaml', 'fail-on': 'none' }).code).toBe(0)
}, 60_000)

describe('the GitLab component', () => {
  test('writes all reports, then fails', () => {
    const [head, body] = readFileSync(join(root, 'templates/check.yml'), 'utf8').split(/^---$/m)
    const declared = Bun.YAML.parse(head!) as { spec: { inputs: Record<string, { default?: string } | null> } }
    const inputs = Object.fromEntries(
      Object.entries(declared.spec.inputs).map(([name, it]) => [name, it?.default ?? '']),
    )
    const given = { ...inputs, specification: 'openapi.yaml', base: 'HEAD:openapi.yaml' }
    const job = Bun.YAML.parse(inputsOf(body!, given, /\$\[\[ inputs\.([\w-]+) \]\]/g)) as {
      svc: { script: readonly string[]; variables: Record<string, string> }
    }
    rmSync(join(folder, 'svc-reports'), { recursive: true, force: true })
    // A runner joins the lines and stops at the first that fails.
    const { code } = run(`set -e\n${job.svc.script.join('\n')}`, {
      SPECIFICATION: String(job.svc.variables.SPECIFICATION),
      BASE: String(job.svc.variables.BASE),
    })
    expect(code).toBe(4)
    for (const name of ['lint.xml', 'lint.json', 'lint.sarif', 'diff.xml', 'diff.json', 'diff.md'])
      expect(existsSync(join(folder, 'svc-reports', name))).toBe(true)
  }, 60_000)
})

describe('the hooks', () => {
  const hooks = Bun.YAML.parse(readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8')) as readonly {
    readonly id: string
    readonly entry: string
    readonly files: string
  }[]
  const entry = (id: string): string => hooks.find((it) => it.id === id)!.entry

  test('take many files', () => {
    const files = ['openapi.yaml', 'openapi-other.yaml']
    for (const hook of hooks) expect(files.every((name) => new RegExp(hook.files).test(name))).toBe(true)
    const lint = run(`${entry('svc-lint')} "$@"`, {}, ['hook', ...files])
    expect([lint.code, lint.out.includes('openapi-other.yaml')]).toEqual([0, true])
    expect(run(`${entry('svc-breaking')} "$@"`, {}, ['hook', ...files]).code).toBe(4)
    expect(run(`${entry('svc-breaking')} "$@"`, {}, ['hook', 'openapi-other.yaml']).code).toBe(0)
  }, 60_000)
})
