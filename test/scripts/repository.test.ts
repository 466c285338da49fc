/** What GitHub reads of this repository: forms for issues, updates of dependencies, workflows that look for flaws. */
import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dir, '..', '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const parsed = (path: string): Record<string, unknown> => Bun.YAML.parse(read(path)) as Record<string, unknown>

interface Field {
  readonly type: string
  readonly id?: string
  readonly attributes: { readonly label?: string; readonly options?: readonly string[] }
}

test('every form of an issue has a name, a description, and fields with labels and ids of their own', () => {
  const forms = [...new Bun.Glob('*.yml').scanSync(join(root, '.github/ISSUE_TEMPLATE'))].toSorted()
  expect(forms).toEqual(['bug.yml', 'config.yml', 'idea.yml', 'verdict.yml'])
  for (const name of forms.filter((it) => it !== 'config.yml')) {
    const form = parsed(`.github/ISSUE_TEMPLATE/${name}`)
    expect(Object.keys(form)).toEqual(['name', 'description', 'labels', 'body'])
    const fields = form.body as Field[]
    expect(new Set(fields.map((it) => it.id)).size).toBe(fields.length)
    expect(fields.filter(({ id = '' }) => !/^[a-z]+$/.test(id))).toEqual([])
    expect(fields.filter(({ attributes }) => (attributes.label ?? '') === '')).toEqual([])
    expect(fields.filter((it) => !['textarea', 'input', 'dropdown'].includes(it.type))).toEqual([])
    for (const { attributes } of fields.filter((it) => it.type === 'dropdown'))
      expect(attributes.options?.length).toBeGreaterThan(1)
  }
})

test('updates are looked for wherever something is locked', () => {
  const { updates } = parsed('.github/dependabot.yml') as {
    updates: { 'package-ecosystem': string; directory?: string; directories?: string[] }[]
  }
  const places = updates.flatMap((it) =>
    (it.directories ?? [it.directory ?? '']).map((folder) => `${it['package-ecosystem']} ${folder}`),
  )
  expect(places).toEqual(['npm /', 'github-actions /', 'docker /', 'docker /scripts/release'])
  expect(existsSync(join(root, 'scripts/release/Dockerfile'))).toBe(true)
})

test('workflows that look for flaws run actions of exact commits, and may write results only', () => {
  for (const name of ['codeql', 'scorecard']) {
    const path = `.github/workflows/${name}.yml`
    const used = [...read(path).matchAll(/uses: (.*)$/gm)].map(([, action = '']) => action)
    expect(used.length).toBeGreaterThan(1)
    expect(used.filter((it) => !/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(it))).toEqual([])
    const { permissions, jobs } = parsed(path) as { permissions: object; jobs: Record<string, { permissions: object }> }
    expect(permissions).toEqual({ contents: 'read' })
    const granted = Object.values(jobs).flatMap((it) => Object.entries(it.permissions))
    expect(granted.filter(([scope, level]) => level === 'write' && scope === 'contents')).toEqual([])
  }
})

test('pages that guide people and agents name files and commands that are there', () => {
  const scripts = Object.keys((JSON.parse(read('package.json')) as { scripts: object }).scripts)
  for (const page of ['AGENTS.md', 'GOVERNANCE.md', 'CODE_OF_CONDUCT.md', '.github/PULL_REQUEST_TEMPLATE.md']) {
    const text = read(page)
    const linked = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, path = '']) => path)
    expect(linked.filter((path) => !existsSync(join(root, path)))).toEqual([])
    const run = [...text.matchAll(/npm run ([a-z-]+)/g)].map(([, name = '']) => name)
    expect(run.filter((name) => !scripts.includes(name))).toEqual([])
    const named = [...text.matchAll(/`((?:test|scripts|src|cli)\/[\w./-]*)`/g)].map(([, path = '']) => path)
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
  }
})
