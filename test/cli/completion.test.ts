import { expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { command, type Registry } from '../../cli/declare.ts'
import { completionTree } from '../../cli/completion/model.ts'
import { powershellScript } from '../../cli/completion/powershell.ts'
import { bashScript, fishScript, zshScript } from '../../cli/completion/scripts.ts'

const lint = command({
  summary: "Lint a team's documents",
  examples: [],
  arguments: [{ name: 'file', variadic: true, summary: 'files', namesApis: true }],
  options: {
    'min-grade': { type: 'string', placeholder: 'A-F', choices: ['A', 'B', 'C'], summary: 'lowest grade' },
    wait: { type: 'boolean', default: true, summary: 'wait' },
    rules: { type: 'string', placeholder: 'NAME', short: 'r', alias: 'ruleset', choices: ['x', 'y'], summary: 'rules' },
    output: { type: 'string', placeholder: 'PATH', short: 'o', summary: 'where to' },
    inner: { type: 'boolean', hidden: true, summary: 'for tests' },
  },
  run: async () => {},
})
const list = command({
  summary: 'List',
  examples: [],
  arguments: [{ name: 'order', summary: 'order', choices: ['up', 'down'] }],
  options: {},
  run: async () => {},
})
const registry: Registry = {
  lint: { summary: lint.summary, load: async () => lint },
  project: { summary: 'Projects', load: null },
  'project list': { summary: list.summary, load: async () => list },
}

const complete = async (words: readonly string[], cwd = tmpdir()): Promise<string[]> => {
  const script = `${bashScript(await completionTree(registry))}
compopt() { echo "(files)"; }
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _svc; printf '%s\\n' "\${COMPREPLY[@]}"`
  const child = Bun.spawn(['bash', '-c', script, 'bash', ...words], { stdout: 'pipe', stderr: 'pipe', cwd })
  const [out, said] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  expect(said).toBe('')
  return out.split('\n').filter((line) => line !== '')
}

const cases: readonly (readonly [line: string, words: readonly string[]])[] = [
  ['svc ', ['lint', 'project']],
  ['svc p', ['project']],
  ['svc --tenant lint ', ['lint', 'project']],
  ['svc --tenant = lint ', ['lint', 'project']],
  ['svc project ', ['list']],
  ['svc --json project list ', ['up', 'down']],
  ['svc project list d', ['down']],
  ['svc lint ', ['(files)']],
  ['svc lint --min-grade ', ['A', 'B', 'C']],
  ['svc lint --min-grade = B', ['B']],
  ['svc lint -o ', ['(files)']],
  ['svc lint --w', ['--wait', '--workspace']],
  ['svc lint --rul', ['--rules', '--ruleset']],
  ['svc lint --ruleset ', ['x', 'y']],
  ['svc lint -r ', ['x', 'y']],
  ['svc lint --no', ['--no-wait']],
  ['svc lint --in', []],
]
// Where there is no bash there is nobody whose completion could break.
if (Bun.which('bash') !== null) {
  test.each(cases)('bash completes "%s"', async (line, words) => {
    expect(await complete(line.split(' '))).toEqual([...words])
  })
}

const checkSyntax = async (shell: string, flag: string, script: string): Promise<void> => {
  if (Bun.which(shell) === null) return
  const child = Bun.spawn([shell, flag, '/dev/stdin'], { stdin: new Blob([script]), stderr: 'pipe' })
  expect(await new Response(child.stderr).text()).toBe('')
}

test('zsh and fish know every word with its summary', async () => {
  const nodes = await completionTree(registry)
  const zsh = zshScript(nodes)
  expect(zsh).toStartWith('#compdef svc\n')
  expect(zsh).toContain(`items=('lint:Lint a team'\\''s documents' 'project:Projects')`)
  expect(zsh).toContain(`        --min-grade) compadd -- 'A' 'B' 'C'; return ;;\n`)
  await checkSyntax('zsh', '-n', zsh)
  const fish = fishScript(nodes)
  const at = (place: string): string => `complete -c svc -n 'test (__svc_place) = "${place}"'`
  expect(
    fish
      .split('\n')
      .filter(
        (line) =>
          line.startsWith(at('lint')) &&
          !/ -l (base|ten|api|work|json|time|quiet|verb|help|allow|offline|root|deadline|max-memory)/.test(line),
      ),
  ).toEqual([
    `${at('lint')} -l min-grade -x -a 'A B C' -d 'lowest grade'`,
    `${at('lint')} -l wait -d 'wait'`,
    `${at('lint')} -l no-wait -d 'not: wait'`,
    `${at('lint')} -l rules -s r -x -a 'x y' -d 'rules'`,
    `${at('lint')} -l ruleset -x -a 'x y' -d 'rules'`,
    `${at('lint')} -l output -s o -r -d 'where to'`,
    `${at('lint')} -a '(__svc_apis)' -d 'API of svc.yaml'`,
    `${at('lint')} -F`,
  ])
  await checkSyntax('fish', '--no-execute', fish)
})

test('PowerShell has the words of every place, with summaries', async () => {
  const script = powershellScript(await completionTree(registry))
  const table = (name: string): string[] => {
    const from = script.indexOf(`  $${name} = @{\n`)
    return script.slice(from, script.indexOf('\n  }\n', from)).split('\n').slice(1)
  }
  expect(table('commands').find((line) => line.startsWith("    '' = "))).toStartWith(
    `    '' = @('lint\tLint a team''s documents', 'project\tProjects'`,
  )
  const options = table('options').find((line) => line.startsWith("    'lint' = ")) ?? ''
  expect(options).toContain(`'--min-grade\t\tvalue\tA B C\tlowest grade'`)
  expect(options).toContain(`'--rules\t-r\tvalue\tx y\trules'`)
  expect(options).toContain(`'--no-wait\t\t\t\tnot: wait'`)
  expect(script).toContain("  $apis = @('lint')\n")
  expect(script.match(/^\s*\$valued = .*$/m)?.[0]).toContain("'--min-grade'")
  // Brackets of the script are balanced, apart from those in texts.
  const code = script.replaceAll(/'(?:[^']|'')*'/g, '').replaceAll(/"[^"]*"/g, '')
  for (const [open, close] of ['()', '{}', '[]']) {
    if (open === undefined || close === undefined) continue
    expect(code.split(open).length).toBe(code.split(close).length)
  }
})

test('names of APIs come from the nearest svc.yaml of the repository', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-completion-'))
  try {
    mkdirSync(join(folder, 'deep/er'), { recursive: true })
    expect(await complete(['svc', 'lint', 's'], join(folder, 'deep/er'))).toEqual(['(files)'])
    writeFileSync(
      join(folder, 'svc.yaml'),
      'guide: x\n# apis:\napis:\n  # the shop\n  shop@v2:\n    root: shop.yaml\n  users: users.yaml\nprofiles:\n  strict: {}\n',
    )
    expect(await complete(['svc', 'lint', ''], join(folder, 'deep/er'))).toEqual(['(files)', 'shop@v2', 'users'])
    expect(await complete(['svc', 'lint', 's'], folder)).toEqual(['(files)', 'shop@v2'])
    mkdirSync(join(folder, 'deep/.git'))
    expect(await complete(['svc', 'lint', ''], join(folder, 'deep/er'))).toEqual(['(files)'])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
