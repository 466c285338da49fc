/** What types cannot keep: every rule, command and error code is tried somewhere, and files keep to the house rules. */
import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { registry } from '../cli/registry.gen.ts'
import { strayVariables } from '../server/config.ts'
import { catalogue } from '../src/errors.ts'

const root = join(import.meta.dir, '..')
const layers = ['src', 'db', 'server', 'mcp', 'cli', 'commands', 'web', 'bench', 'scripts', 'test']

const scan = (pattern: string): string[] =>
  [...new Bun.Glob(pattern).scanSync({ cwd: root })]
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.includes('node_modules/') && !path.endsWith('.gen.ts'))
    .sort()
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const sources = layers.flatMap((layer) => scan(`${layer}/**/*.{ts,tsx}`)).filter((path) => !path.includes('/fixtures/'))
const self = 'test/meta.test.ts'

test('every rule has a test', () => {
  const lintTests = scan('test/src/lint/**/*.ts')
  const texts = lintTests.map(read)
  // Examples of a rule's own are run by test/src/lint/help.test.ts.
  const untested = scan('src/lint/rules/**/*.ts')
    .filter((path) => !read(path).includes('  help: {'))
    .map((path) => path.slice(path.lastIndexOf('/') + 1, -3))
    .filter((id) => !lintTests.some((path) => path.endsWith(`/${id}.test.ts`)) && !texts.some((it) => it.includes(id)))
  // Strict from the day on that the tests of the rules stand somewhere.
  if (lintTests.some((path) => /\/rules?[/.-]/.test(path))) expect(untested).toEqual([])
  // A rule about changes is words alone: tests go through all of them.
  expect(scan('test/src/diff/**/*.ts').some((path) => read(path).includes('of rules)'))).toBe(true)
})

test('every command has a golden or a test', () => {
  const lines = scan('test/golden/*/cmd').map(read).join('\n')
  const tests = scan('test/{cli,commands,mcp,server}/**/*.ts').map(read).join('\n')
  const untested = Object.keys(registry).filter((name) => {
    if (registry[name]?.load === null) return false
    const words = name.split(' ')
    const inGolden = new RegExp(`\\bsvc( -\\S+( [^-\\s]\\S*)?)*? ${words.join(' ')}\\b`).test(lines)
    const quoted = words.map((word) => `['"]${word}['"]`).join(',\\s*')
    return !inGolden && !new RegExp(`${quoted}|['"\`](svc )?${name}[ '"\`]`).test(tests)
  })
  expect(untested).toEqual([])
})

test('every golden expects something', () => {
  const silent = readdirSync(join(root, 'test/golden'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .filter((name) => {
      const files = readdirSync(join(root, 'test/golden', name))
      return !files.includes('cmd') || !['stdout', 'stderr', 'exit'].some((part) => files.includes(part))
    })
  expect(silent).toEqual([])
})

test('operations take callers, paths, parameters and errors that they share from the kit', () => {
  const shared = [
    /credentials: \['user'(, 'api-key')?\]/,
    /'\/(v1|_app)\/tenants\/\{tenant_slug\}/,
    /'\/v1\/slate\/environments/,
    /'project-not-found',\s+'version-not-found'/,
    /'tenant-unnamed',\s+'environment-not-found'/,
    /total: Type\.Integer\(\), limit: Type\.Integer\(\)/,
  ]
  const again = scan('src/api/*.ts')
    .filter((path) => path !== 'src/api/kit.ts')
    .flatMap((path) => shared.filter((it) => it.test(read(path))).map((it) => `${path}: ${it.source}`))
  expect(again).toEqual([])
})

// Codes that nothing raises yet, each with what will; an entry that is raised has to go.
const unraised = new Map<string, string>()

test('every error code is raised somewhere and documented', () => {
  const texts = sources
    .filter((path) => !path.startsWith('test/') && !/^src\/errors[./]/.test(path))
    .map(read)
    .join('\n')
  const documented = read('docs/errors.md')
  const codes = Object.keys(catalogue)
  expect(codes.filter((code) => !texts.includes(`'${code}'`))).toEqual([...unraised.keys()])
  expect(codes.filter((code) => !documented.includes(`\`${code}\``))).toEqual([])
})

test('every variable that is read is known to the settings or to the command line', () => {
  const names = sources
    .filter((path) => /^(server|cli|commands|mcp|db)\//.test(path))
    .flatMap((path) => [...read(path).matchAll(/\benv(?:ironment)?\??\.(SVC_[A-Z_]+)|\benv: '(SVC_[A-Z_]+)'/g)])
    .map((match) => match[1] ?? match[2] ?? '')
  expect(strayVariables(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([])
})

test('no file is longer than 400 lines without saying why', () => {
  const long = sources.filter((path) => {
    const text = read(path)
    return text.split('\n').length > 401 && !/Longer than 400 lines: \S+/.test(text.slice(0, 1500))
  })
  expect(long).toEqual([])
})

test('nothing is left open, skipped or silenced without a reason', () => {
  const patterns: readonly (readonly [string, RegExp])[] = [
    ['an open point', /\b(TODO|FIXME|XXX)\b/],
    ['a skipped test', /\b(test|it|describe)\.(skip|todo|only|failing)\b/],
    ['a silenced compiler', /@ts-(ignore|nocheck|expect-error)/],
    ['a silenced linter without a reason', /(oxlint|eslint)-disable(?!.* -- \S+)/],
  ]
  const found = sources
    .filter((path) => path !== self)
    .flatMap((path) => {
      const lines = read(path).split('\n')
      return patterns.flatMap(([name, pattern]) => {
        const at = lines.findIndex((line) => pattern.test(line))
        return at < 0 ? [] : [`${path}:${at + 1}: ${name}`]
      })
    })
  expect(found).toEqual([])
})

// On a busy machine a process takes long to start: a test that waits for one has a minute, which is what all have.
const shortestMs = 60_000
const timeouts = [
  /^\s*\}, ([\d_]+)\)$/gm,
  /^\s+([\d_]{4,}),\n\s*\)$/gm,
  /^setDefaultTimeout\(([\d_]+)\)/gm,
  /\bslowMs = ([\d_]+)/g,
]

test('no test sets itself less time than all have', () => {
  const short = scan('test/**/*.test.ts').flatMap((path) => {
    const text = read(path)
    const found = timeouts.flatMap((pattern) => [...text.matchAll(pattern)].map(([, number = '']) => number))
    return found
      .filter((number) => Number(number.replaceAll('_', '')) < shortestMs)
      .map((number) => `${path}: ${number}`)
  })
  expect(short).toEqual([])
  expect(read('scripts/test.ts')).toContain(`'--timeout=${shortestMs}'`)
})

test('names of files are in kebab case and say what they hold', () => {
  // Rules and functions have the names that rulesets of other tools know them by.
  const odd = sources.filter((path) => {
    if (/^src\/lint\/(rules|functions)\//.test(path)) return false
    const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.(test\.|d\.)?tsx?$/, '')
    return !/^[\d$]?[a-z0-9]+(-[a-z0-9]+)*$/.test(name) || /^(utils?|helpers?|common|misc|managers?)$/.test(name)
  })
  expect(odd.filter((path) => !path.startsWith('web/src/routes'))).toEqual([])
})

test('every script is named somewhere: what nothing names has to go', () => {
  const naming = [
    'package.json',
    'CONTRIBUTING.md',
    '.ci/run',
    ...scan('.github/workflows/*.yml'),
    ...scan('docs/**/*.md'),
    ...scan('{src,server}/*/README.md'),
    ...sources,
  ]
  const texts = new Map(naming.map((path) => [path, read(path)]))
  const unnamed = scan('scripts/*.{ts,mjs,sh}').filter((path) => {
    const name = path.slice('scripts/'.length)
    return ![...texts].some(([other, text]) => other !== path && text.includes(name))
  })
  expect(unnamed).toEqual([])
})

test('base images are pinned by digest', async () => {
  const files = ['Dockerfile', 'scripts/release/Dockerfile'].map((path) => Bun.file(join(root, path)).text())
  const bases = (await Promise.all(files)).join('\n').match(/^FROM .*$/gm) ?? []
  expect(bases.length).toBe(3)
  expect(bases.filter((it) => !/^FROM [a-z]+:[\w.-]+@sha256:[0-9a-f]{64}( AS \w+)?$/.test(it))).toEqual([])
})

test('actions of workflows are pinned by digest, with the version that it is', () => {
  // The pattern of scan leaves out folders that begin with a dot.
  const workflows = readdirSync(join(root, '.github/workflows')).map((name) => read(`.github/workflows/${name}`))
  const used = workflows.join('\n').match(/^.*\buses:.*$/gm) ?? []
  expect(used.length).toBeGreaterThan(10)
  expect(used.filter((it) => !/uses: [\w-]+(\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(it))).toEqual([])
  const digests = new Set(used.map((it) => it.replace(/^.*uses: /, '')))
  const actions = new Set(used.map((it) => it.replace(/^.*uses: ([^@]+)@.*$/, '$1')))
  expect(digests.size).toBe(actions.size)
})

test('the project has its documents', () => {
  const documents = [
    'AGENTS.md',
    'CHANGELOG.md',
    'CODE_OF_CONDUCT.md',
    'CONTRIBUTING.md',
    'GOVERNANCE.md',
    'SECURITY.md',
    'LICENSE',
  ]
  const missing = [...documents, 'docs/errors.md'].filter(
    (name) => !readdirSync(join(root, name.includes('/') ? 'docs' : '.')).includes(name.replace('docs/', '')),
  )
  expect(missing).toEqual([])
  expect(read('CHANGELOG.md')).toContain('## Unreleased')
})

test('the guarantees of SECURITY.md name tests that are there', () => {
  const named = [...read('SECURITY.md').matchAll(/`(test\/[^`]+)`/g)].map(([, path = '']) => path)
  expect(named.length).toBeGreaterThan(15)
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
})
