/** Small functions are written once: what several rooms need is in the kernel or in the layer that they share. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'

const root = join(import.meta.dir, '..')
/** The application and the documentation may not import the kernel: what they repeat of it is not counted. */
const layers = ['src', 'server', 'cli', 'commands', 'db', 'mcp', 'scripts']
/** A shorter function is its own name. */
const shortest = 40

interface Declared {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly id?: { readonly end: number } | null
  readonly init?: { readonly type: string; readonly start: number; readonly end: number } | null
  readonly declaration?: Declared | null
  readonly declarations?: readonly Declared[]
}

/** The text of each function at the top of a file, without its name. */
function functionsIn(path: string, text: string): string[] {
  const bodiesOf = (node: Declared): string[] => {
    if (node.declaration) return bodiesOf(node.declaration)
    if (node.type === 'FunctionDeclaration') return [text.slice(node.id?.end ?? node.start, node.end)]
    if (node.type === 'VariableDeclaration') return (node.declarations ?? []).flatMap(bodiesOf)
    return node.init?.type === 'ArrowFunctionExpression' ? [text.slice(node.init.start, node.init.end)] : []
  }
  return (parseSync(path, text).program.body as unknown as Declared[]).flatMap(bodiesOf)
}

/** The files that have the same function at their top, by its text. */
async function repeatedFunctions(): Promise<Map<string, readonly string[]>> {
  const found = new Map<string, Set<string>>()
  for (const layer of layers)
    for (const path of new Bun.Glob(`${layer}/**/*.ts`).scanSync(root)) {
      if (path.endsWith('.gen.ts')) continue
      for (const written of functionsIn(path, await Bun.file(join(root, path)).text())) {
        const body = written.replaceAll(/\s+/g, ' ')
        if (body.length >= shortest) found.set(body, (found.get(body) ?? new Set()).add(path))
      }
    }
  return new Map([...found].filter(([, paths]) => paths.size > 1).map(([body, paths]) => [body, [...paths].toSorted()]))
}

/** Files that repeat a function for a reason: they are in layers or rooms that do not share a place for it, or run by themselves. */
const explained: ReadonlySet<string> = new Set([
  'cli/connection/login-store.ts server/sign-in/setup.ts',
  'cli/gateway/agent/tail.ts server/disk/replace-file.ts',
  'cli/guide/function-context.ts src/lint/listing.ts',
  'cli/repository/shared.ts server/repositories/files.ts',
  'db/migration-plan.ts scripts/gen/migrations.ts server/embeddings/texts.ts',
  'scripts/json-schema-suite.ts scripts/types-suite.ts',
  'server/hosting/oauth.ts server/sign-in/oidc-client.ts',
  'server/notifications/service.ts server/projects/views.ts',
  'server/operations/mount.ts server/pull-requests/pushed.ts',
  'server/specs/search-types.ts server/specs/types.ts',
  'src/api/gateway-enforcers.ts src/gateway/agent/bundle.ts',
  'src/diff/arazzo/compare.ts src/diff/mcp-server/offers.ts',
  'src/diff/security/schemes.ts src/kernel/json.ts',
  'src/gateway-policy/replay-outcome.ts src/gateway/release/cause.ts',
  'src/gateway/compile/condition.ts src/gateway/compile/path-rules.ts',
  'src/gateway/compile/template.ts src/gateway/positive/dispatch.ts',
  'src/gateway/positive/schema-words.ts src/schema/normalise.ts',
  'src/mcp-catalogue/semantic.ts src/types/suggest.ts',
  'src/report/changes/github-actions.ts src/report/formats/github-actions.ts',
  'src/report/formats/checkstyle.ts src/report/guide-tests.ts',
])

test('no function is written in two files without a reason', async () => {
  const repeated = await repeatedFunctions()
  const places = new Set([...repeated.values()].map((paths) => paths.join(' ')))
  const unexplained = [...repeated].filter(([, paths]) => !explained.has(paths.join(' ')))
  expect(unexplained.map(([body, paths]) => `${paths.join(' ')}: ${body.slice(0, 80)}`)).toEqual([])
  expect([...explained].filter((it) => !places.has(it))).toEqual([])
})
