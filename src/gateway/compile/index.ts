/** Policies of gateways as configurations of real engines. */
import { type Policy, positiveChecks } from '../../gateway-policy/door.ts'
import { compareText } from '../../kernel/order.ts'
import { dialectOf } from '../dialects/index.ts'
import { compilePositive, type CompiledPositive } from '../positive/index.ts'
import { groupsOff, includes, managedSettings } from './crs.ts'
import { compileExceptions } from './exceptions.ts'
import { idRanges, type Compiled, type CompileInput, type ReleaseFile, type Setting } from './model.ts'
import { pathRules, sentPath } from './path-rules.ts'
import { compileRate } from './rate.ts'
import { compileBot, compileRules } from './rules.ts'
import { plain } from './seclang.ts'
import { setup } from './setup.ts'
import { inOrder, Templates } from './template.ts'

export type { Compiled, CompileInput, NotEnforced, ReleaseFile, Route, Setting, SettingState } from './model.ts'

function challengeSettings({ presets }: Policy): Setting[] {
  if (presets.challenge === null) return []
  return [{ setting: 'challenge', state: 'not-enforced', reason: 'The engine cannot send a challenge.' }]
}

const isGiven = (document: unknown): boolean => document !== null && document !== undefined

/** What the document allows; without a document every check says so. */
function compileDocument({ policy, dialect, environment, document }: CompileInput): CompiledPositive {
  const { positive } = policy
  const nothing = { text: '', files: [], notEnforced: [], operations: 0, bodies: 0, routes: [] }
  if (positive === null) return { ...nothing, checks: [] }
  if (!isGiven(document)) {
    const reason = 'No document was given, so nothing is known of what it allows.'
    const checks = positiveChecks.map((it) => ({ setting: `positive:${it}`, state: 'not-enforced' as const, reason }))
    return { ...nothing, checks }
  }
  const [firstId] = idRanges.positive
  return compilePositive({
    document,
    positive,
    dialect: dialectOf(dialect),
    basePaths: [...environment.basePaths],
    firstId,
    schemaFolder: 'schemas',
  })
}

/**
 * Compiles a policy to one dialect.
 * @param input the policy, the document that it is bound to, and where the rule set is
 * @returns the files of the release, sorted by path, what each setting comes to, and what of the document is not checked; the same
 *   input gives the same bytes
 */
export function compileRelease(input: CompileInput): Compiled {
  const { policy, environment, document } = input
  const dialect = dialectOf(input.dialect)
  const positive = compileDocument(input)
  const routes = inOrder(positive.routes)
  const hasDocument = policy.positive !== null && isGiven(document)
  const templates = new Templates(hasDocument ? routes : null, environment.basePaths)
  const exceptions = compileExceptions(policy, dialect, templates)
  const rules = compileRules(policy, dialect, templates)
  const bot = compileBot(policy)
  const rate = compileRate(policy, dialect)
  const conditions = exceptions.text + rules.text
  const paths = conditions.includes(sentPath) ? pathRules(conditions.includes(`REQUEST_FILENAME|${sentPath}`)) : ''
  const heading = (title: string) => `# ${title}. Written by svc, not meant to be changed.\n`
  const parts: Readonly<Record<string, string>> = {
    '10-setup.conf': setup(policy, dialect, document) + paths,
    '20-exceptions.conf': exceptions.text,
    '30-rules.conf': rules.text + bot.text,
    '40-positive.conf': positive.text,
    '90-groups.conf': groupsOff(policy, dialect),
  }
  const titles: Readonly<Record<string, string>> = {
    '10-setup.conf': 'Settings of the engine and of the rule set',
    '20-exceptions.conf': 'Exceptions',
    '30-rules.conf': 'Custom rules',
    '40-positive.conf': 'What the document allows',
    '90-groups.conf': 'Managed groups that are off',
  }
  const ruleSet = includes(policy, dialect, input.crs)
  const order = Object.keys(parts)
  const entry =
    heading(
      `Release ${plain(input.releaseId)} of ${plain(environment.slug)}, policy version ${input.policyVersion}, for ${dialect.name}`,
    ) + order.map((it) => `${it.startsWith('9') ? ruleSet : ''}Include ${it}\n`).join('')
  const files: ReleaseFile[] = [
    { path: 'svc.conf', text: entry },
    ...order.map((path) => ({ path, text: heading(titles[path] ?? '') + (parts[path] ?? '') })),
    { path: 'routes.json', text: `${JSON.stringify(routes, null, 1)}\n` },
    ...positive.files,
    ...rate.files,
    ...dialect.moreFiles(
      order.map((it) => parts[it] ?? ''),
      ruleSet,
    ),
  ]
  return {
    files: files.sort((a, b) => compareText(a.path, b.path)),
    settings: [
      ...managedSettings(policy, dialect, input.crs),
      ...bot.settings,
      ...rate.settings,
      ...challengeSettings(policy),
      ...rules.settings,
      ...exceptions.settings,
      ...positive.checks,
    ],
    notEnforced: positive.notEnforced,
    routes,
    operations: positive.operations,
    bodies: positive.bodies,
  }
}
