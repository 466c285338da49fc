/** Runs the steps of what is shipped for pipelines, as the pipeline would: the action, the component, the hooks. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
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

const run = (script: string, env: Record<string, string>, args: readonly string[] = [], cwd = folder) => {
  const path = `${join(folder, 'bin')}:${process.env.PATH ?? ''}`
  const result = Bun.spawnSync(['sh', '-c', script, ...args], {
    cwd,
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
  writeFileSync(svc, `#!/bin/sh\nexec "${process.execPath}" run "${join(root, 'cli/main.ts')}" "$@"\n`)
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

const action = Bun.YAML.parse(readFileSync(join(root, 'action.yml'), 'utf8')) as Action
const defaults = Object.fromEntries(Object.entries(action.inputs).map(([name, it]) => [name, it.default ?? '']))

/** Runs the step of the action in a folder, as a runner does: inputs become variables, files take what it says. */
const perform = (
  given: Readonly<Record<string, string>>,
  around: Readonly<Record<string, string>> = {},
  cwd = folder,
) => {
  const [step] = action.runs.steps
  const inputs = { ...defaults, token: '', ...given }
  const env = Object.fromEntries(
    Object.entries(step!.env).map(([name, it]) => [name, inputsOf(it, inputs, /\$\{\{ inputs\.([\w-]+) \}\}/g)]),
  )
  const files = { GITHUB_OUTPUT: join(folder, 'output'), GITHUB_STEP_SUMMARY: join(folder, 'summary.md') }
  for (const file of Object.values(files)) writeFileSync(file, '')
  const said = run(
    step!.run,
    { ...env, ...files, GITHUB_ACTION_PATH: root, GITHUB_ACTIONS: 'true', ...around },
    [],
    cwd,
  )
  return {
    ...said,
    output: readFileSync(files.GITHUB_OUTPUT, 'utf8'),
    summary: readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8'),
  }
}

describe('the action', () => {
  test('writes all reports, then fails', () => {
    const failed = perform({ specification: 'openapi.yaml', base: 'HEAD:openapi.yaml' })
    expect([failed.code, failed.output]).toEqual([4, 'exit-code=4\n'])
    expect(readdirSync(join(folder, 'svc-reports')).toSorted()).toEqual([
      'diff.html',
      'diff.json',
      'diff.md',
      'diff.sarif',
      'diff.xml',
      'lint.json',
      'lint.md',
      'lint.sarif',
      'lint.xml',
    ])
    expect(failed.out).toContain('::error file=openapi.yaml,line=')
    expect(failed.summary).toContain('1 breaking change')
    const passed = perform({ specification: 'openapi.yaml', base: 'HEAD:openapi.yaml', 'fail-on': 'none' })
    expect([passed.code, passed.output]).toEqual([0, 'exit-code=0\n'])
  }, 60_000)

  test('never writes an input into a script', () => {
    for (const { run: script, env } of action.runs.steps) {
      expect(script).not.toContain('${{')
      expect(Object.values(env).every((it) => /^\$\{\{ inputs\.[\w-]+ \}\}$/.test(it))).toBe(true)
    }
    const names = new Set(
      action.runs.steps.flatMap(({ env }) =>
        Object.values(env)
          .join(' ')
          .match(/(?<=inputs\.)[\w-]+/g),
      ),
    )
    expect(names).toEqual(new Set(Object.keys(action.inputs)))
    const evil = `$(touch pwned)'";\`touch pwned\` x.yaml`
    writeFileSync(join(folder, evil), specification(5))
    const said = perform({ specification: evil, base: 'HEAD:openapi.yaml', guide: 'svc:recommended', comment: evil })
    expect([said.code, existsSync(join(folder, 'pwned'))]).toEqual([4, false])
    expect(perform({ specification: '--fix', base: '' }).code).toBe(2)
  }, 60_000)

  test('in a shallow clone of a pull request, fetches the target branch and updates its comment', () => {
    const clone = join(folder, 'clone')
    git('switch', '-q', '-c', 'work')
    writeFileSync(join(folder, 'openapi-new.yaml'), specification(1))
    git('add', 'openapi.yaml', 'openapi-new.yaml')
    git('commit', '-qm', 'second')
    git('clone', '-q', '--depth=1', '--branch=work', `file://${folder}`, clone)
    git('switch', '-q', 'main')
    writeFileSync(join(folder, 'openapi.yaml'), specification(5))
    const calls = join(folder, 'gh-calls')
    writeFileSync(calls, '')
    writeFileSync(
      join(folder, 'bin', 'gh'),
      `#!/bin/sh\nprintf '%s\\n' "$*" >>"${calls}"\n[ -n "\${GH_FAILS:-}" ] && exit 1\ncase "$*" in *--paginate*) printf '%s' "\${GH_KNOWN:-}" ;; esac\n`,
    )
    chmodSync(join(folder, 'bin', 'gh'), 0o755)
    const pull = { GITHUB_BASE_REF: 'main', GITHUB_REF: 'refs/pull/7/merge', GITHUB_REPOSITORY: 'owner/shop' }
    const open = (around: Readonly<Record<string, string>>, given: Readonly<Record<string, string>> = {}) => {
      writeFileSync(calls, '')
      const said = perform(
        { specification: './openapi.yaml', token: 'secret', ...given },
        { ...pull, ...around },
        clone,
      )
      const made = readFileSync(calls, 'utf8')
        .split('\n')
        .filter((it) => it !== '')
      return { ...said, calls: made.map((it) => it.replace(/ --jq .*/, '')) }
    }
    const comments = 'repos/owner/shop/issues/7/comments'
    const first = open({})
    expect([first.code, first.calls]).toEqual([
      4,
      [`api --paginate ${comments}`, `api --silent --method POST ${comments} --field body=@svc-reports/diff.md`],
    ])
    expect(readFileSync(join(clone, 'svc-reports/diff.md'), 'utf8')).toStartWith('<!-- svc-diff: ./openapi.yaml -->\n')
    expect(open({ GH_KNOWN: '41\n42' }).calls.at(-1)).toBe(
      'api --silent --method PATCH repos/owner/shop/issues/comments/41 --field body=@svc-reports/diff.md',
    )
    const refused = open({ GH_FAILS: '1' })
    expect([refused.code, refused.out.includes('::notice::The comment cannot be written')]).toEqual([4, true])
    const fork = open({}, { token: '' })
    expect([fork.code, fork.calls, fork.summary.includes('1 breaking change')]).toEqual([4, [], true])
    expect(open({}, { comment: 'false' }).calls).toEqual([])
    const added = open({}, { specification: 'openapi-new.yaml' })
    expect([added.code, added.summary.includes('none of them breaking')]).toEqual([0, true])
  }, 90_000)

  test('imports where that is asked for', () => {
    const workspace = { SVC_WORKSPACE: join(folder, 'workspace') }
    expect(perform({ specification: 'openapi-other.yaml', import: 'true' }, workspace).code).toBe(0)
    expect(run('svc project list', workspace).out).toContain('shop')
  }, 60_000)

  test('builds svc where there is none', () => {
    const bare = join(folder, 'bare')
    mkdirSync(join(bare, 'scripts'), { recursive: true })
    mkdirSync(join(bare, 'bin'))
    copyFileSync(join(root, 'scripts/check-specification.sh'), join(bare, 'scripts/check-specification.sh'))
    const tools = ['sh', 'mkdir', 'rm', 'cat', 'git', 'head', 'sed', 'cp']
    for (const name of tools) symlinkSync(Bun.which(name)!, join(bare, 'bin', name))
    writeFileSync(
      join(bare, 'bin', 'npm'),
      `#!/bin/sh\necho "npm $*"\nmkdir -p dist\ncp "${join(folder, 'bin', 'svc')}" dist/svc\n`,
    )
    chmodSync(join(bare, 'bin', 'npm'), 0o755)
    const said = Bun.spawnSync([join(bare, 'bin', 'sh'), join(bare, 'scripts/check-specification.sh')], {
      cwd: folder,
      env: { PATH: join(bare, 'bin'), HOME: folder, GITHUB_ACTION_PATH: bare, SPECIFICATION: 'openapi-other.yaml' },
    })
    expect(said.stdout.toString()).toContain('npm run --silent setup\nnpm run --silent build\n')
    expect(said.exitCode).toBe(0)
  }, 60_000)
})

/** A repository with twenty APIs, of which the branch "work" breaks one through a file that it refers to; a shallow clone of that branch. */
function manyApis(): string {
  const source = join(folder, 'many')
  const names = Array.from({ length: 20 }, (_, index) => `api${index}`)
  const within = (...args: string[]): void => {
    const result = Bun.spawnSync(['git', '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd: source,
    })
    if (result.exitCode !== 0) throw new Error(result.stderr.toString())
  }
  for (const name of names) {
    mkdirSync(join(source, name), { recursive: true })
    const text = specification(1).replace(
      '{ name: limit, in: query, schema: { type: integer, minimum: 1 } }',
      '{ $ref: limit.yaml }',
    )
    writeFileSync(join(source, name, 'description.yaml'), text)
    writeFileSync(
      join(source, name, 'limit.yaml'),
      '{ name: limit, in: query, schema: { type: integer, minimum: 1 } }\n',
    )
  }
  const apis = names.map((name) => `  ${name}: ${name}/description.yaml\n`).join('')
  writeFileSync(join(source, 'svc.yaml'), `version: 1\nfailOn: none\ncompareWith: git:origin/main\napis:\n${apis}`)
  within('init', '-q', '-b', 'main')
  within('add', '.')
  within('commit', '-qm', 'first')
  within('switch', '-q', '-c', 'work')
  writeFileSync(join(source, 'api7/limit.yaml'), '{ name: limit, in: query, schema: { type: integer, minimum: 5 } }\n')
  within('commit', '-qam', 'second')
  const clone = join(folder, 'many-clone')
  within('clone', '-q', '--depth=1', '--branch=work', `file://${source}`, clone)
  return clone
}

describe('the APIs of svc.yaml', () => {
  test('of a pull request those are checked that it touches, with one comment for all', () => {
    const clone = manyApis()
    const calls = join(folder, 'check-calls')
    writeFileSync(calls, '')
    writeFileSync(join(folder, 'bin', 'gh'), `#!/bin/sh\nprintf '%s\\n' "$*" >>"${calls}"\n`)
    chmodSync(join(folder, 'bin', 'gh'), 0o755)
    const pull = { GITHUB_BASE_REF: 'main', GITHUB_REF: 'refs/pull/7/merge', GITHUB_REPOSITORY: 'owner/shop' }
    const said = perform({ check: 'true', token: 'secret' }, pull, clone)
    expect([said.code, said.output]).toEqual([4, 'exit-code=4\n'])
    expect(readdirSync(join(clone, 'svc-reports')).toSorted()).toEqual([
      'check.json',
      'check.md',
      'check.sarif',
      'check.xml',
    ])
    const text = readFileSync(join(clone, 'svc-reports/check.md'), 'utf8')
    expect(text.split('\n').slice(0, 4)).toEqual([
      '<!-- svc-check -->',
      '| API | LINT | CHANGES |',
      '| --- | --- | --- |',
      expect.stringMatching(/^\| api7 \| passed: [A-F], .* \| failed: 1 breaking \|$/),
    ])
    expect(said.summary).toBe(text)
    expect(said.out).toContain('GET /orders')
    const made = readFileSync(calls, 'utf8').split('\n').filter(Boolean)
    expect(made.map((it) => it.replace(/ --jq .*/, ''))).toEqual([
      'api --paginate repos/owner/shop/issues/7/comments',
      'api --silent --method POST repos/owner/shop/issues/7/comments --field body=@svc-reports/check.md',
    ])
    const all = perform({ check: 'true', all: 'true' }, pull, clone)
    expect([all.code, all.summary.split('\n').filter((it) => /^\| api\d+ /.test(it)).length]).toEqual([4, 20])
    // Neither, or both: the action says what is wrong.
    expect([
      perform({}, pull, clone).code,
      perform({ check: 'true', specification: 'x.yaml' }, pull, clone).code,
    ]).toEqual([2, 2])
  }, 120_000)

  test('a branch that touches no API passes, and names the revision', () => {
    const clone = join(folder, 'many-clone')
    const said = run('svc check --since HEAD --allow-missing-base', {}, [], clone)
    expect([said.code, said.out]).toEqual([0, 'No API differs from HEAD.\n'])
    writeFileSync(join(clone, 'api3/new.txt'), 'no document of an API')
    expect(run('svc check --since HEAD', {}, [], clone).out).toBe('No API differs from HEAD.\n')
    const unknown = run('svc check --since gone', {}, [], clone)
    expect([unknown.code, unknown.err.split('\n')[0]]).toEqual([
      2,
      'error: --since names no commit of a repository here: "gone". In a pipeline, fetch it first: git fetch --depth=1 origin main',
    ])
  }, 60_000)
})

describe('the GitLab component', () => {
  test('writes all reports, then fails', () => {
    const [head, body] = readFileSync(join(root, 'templates/check.yml'), 'utf8').split(/^---$/m)
    const declared = Bun.YAML.parse(head!) as { spec: { inputs: Record<string, { default?: string } | null> } }
    const inputs = Object.fromEntries(
      Object.entries(declared.spec.inputs).map(([name, it]) => [name, it?.default ?? '']),
    )
    const perform = (
      given: Readonly<Record<string, string>>,
      env: Readonly<Record<string, string>> = {},
      cwd = folder,
    ) => {
      const text = inputsOf(body!, { ...inputs, ...given }, /\$\[\[ inputs\.([\w-]+) \]\]/g)
      const { svc } = Bun.YAML.parse(text) as { svc: { script: readonly string[]; variables: Record<string, string> } }
      rmSync(join(cwd, 'svc-reports'), { recursive: true, force: true })
      // A runner joins the lines and stops at the first that fails.
      const said = run(`set -e\n${svc.script.join('\n')}`, { ...svc.variables, ...env }, [], cwd)
      return { code: said.code, reports: readdirSync(join(cwd, 'svc-reports')).toSorted() }
    }
    const lint = ['lint.json', 'lint.sarif', 'lint.xml']
    const all = ['diff.json', 'diff.md', 'diff.sarif', 'diff.xml', ...lint]
    const one = { specification: 'openapi.yaml', base: 'HEAD:openapi.yaml' }
    expect(perform(one)).toEqual({ code: 4, reports: all })
    expect(perform({ ...one, 'fail-on': 'none' })).toEqual({ code: 0, reports: all })
    expect(perform({ specification: 'openapi.yaml' })).toEqual({ code: 0, reports: lint })
    const ungraded = { specification: 'openapi.yaml', guide: 'empty guide.yaml' }
    writeFileSync(join(folder, 'empty guide.yaml'), 'rules: {}\n')
    expect(perform(ungraded)).toEqual({ code: 5, reports: lint })
    expect(perform({ specification: 'openapi.yaml', 'min-grade': 'A' }).code).toBe(4)
    expect(perform({ ...one, consumers: 'no file.yaml' }).code).toBe(2)
    expect(perform({ ...one, ignore: 'no file.yaml' }).code).toBe(2)
    const clone = join(folder, 'gitlab')
    git('clone', '-q', '--depth=1', '--branch=work', `file://${folder}`, clone)
    const merge = { CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main' }
    expect(perform({ specification: 'openapi.yaml' }, merge, clone)).toEqual({ code: 4, reports: all })
    expect(perform({ specification: 'openapi-new.yaml' }, merge, clone)).toEqual({ code: 0, reports: all })
    const checked = ['check.json', 'check.md', 'check.sarif', 'check.xml']
    expect(perform({ check: 'true' }, merge, join(folder, 'many-clone'))).toEqual({ code: 4, reports: checked })
    expect(perform({}, merge, clone)).toEqual({ code: 2, reports: [] })
    expect(perform({ check: 'true', specification: 'openapi.yaml' }, merge, clone)).toEqual({ code: 2, reports: [] })
  }, 90_000)
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
    // What the last commit does not have breaks nobody, in a name with spaces as well.
    writeFileSync(join(folder, 'my openapi.yaml'), specification(5))
    expect(run(`${entry('svc-breaking')} "$@"`, {}, ['hook', 'my openapi.yaml']).code).toBe(0)
    const clone = join(folder, 'many-clone')
    expect(run(entry('svc-check'), {}, [], clone).code).toBe(0)
    writeFileSync(join(clone, 'api2/limit.yaml'), '{ name: limit, in: query, schema: { type: integer, minimum: 9 } }\n')
    expect(run(entry('svc-check'), {}, [], clone).code).toBe(4)
  }, 60_000)
})
