/** `svc gateway compile`: a policy as files of an engine, from a file or from the service. */
import { isAbsolute, resolve } from 'node:path'
import { environmentsApi } from '../../../src/api/environments.ts'
import { gatewayApi, type SecurityPolicy } from '../../../src/api/gateway.ts'
import { gatewayPositiveApi } from '../../../src/api/gateway-positive.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { SvcError } from '../../../src/errors.ts'
import { compileRelease, type Compiled, type CompileInput } from '../../../src/gateway/compile/index.ts'
import { dialectOf, type DialectName, dialects } from '../../../src/gateway/dialects/index.ts'
import type { CompiledFor } from '../../../src/gateway/engines/engine.ts'
import { engines } from '../../../src/gateway/engines/index.ts'
import { placedIn } from '../../../src/gateway/release/place.ts'
import { manifestOf, type Manifest } from './manifest.ts'
import { readPolicyFile, usualPolicy } from './policy-file.ts'
import {
  type GroupSetting,
  levelsOf,
  type Policy,
  policyDigest,
  readExpression,
} from '../../../src/gateway-policy/door.ts'
import { plural } from '../../../src/kernel/plural.ts'
import type { Invocation, Result } from '../../declare.ts'
import { readComplete } from '../../convert/whole.ts'
import { readFileText } from '../../input/document-source.ts'
import { renderFacts, renderTable } from '../../table.ts'
import { securityCall } from '../command-parts.ts'
import { refusalOf } from './load.ts'
import { writeRelease } from './folder.ts'

/** What a policy can be compiled for. */
interface Target {
  readonly dialect: DialectName
  /** What a program gets beside the files of the dialect; null: the dialect alone was asked for. */
  readonly program: CompiledFor | null
}

/** By the word of `--engine`: each dialect, and the programs of it that svc writes more for. */
const targets: ReadonlyMap<string, Target> = new Map(
  dialects.flatMap((dialect): [string, Target][] => [
    [dialect.name, { dialect: dialect.name, program: null }],
    ...engines
      .filter((engine) => engine.dialect.name === dialect.name && engine.compiled !== null)
      .map((engine): [string, Target] => [engine.name, { dialect: dialect.name, program: engine.compiled }]),
  ]),
)
export const engineChoices: readonly string[] = [...targets.keys()]

/** @throws SvcError `usage` for a word that is not a choice */
function targetOf(choice: string): Target {
  const target = targets.get(choice)
  if (target === undefined) throw new SvcError('usage', { reason: `There is no engine "${choice}"` })
  return target
}

interface Options {
  readonly engine: string
  readonly output: string
  readonly policy: string | undefined
  readonly environment: string | undefined
  readonly crs: string | undefined
  readonly 'installed-at': string | undefined
  readonly check: boolean | null
}
type CompileInvocation = Invocation<{ readonly document: string | undefined }, Options>

type Subject = Pick<CompileInput, 'policy' | 'policyVersion' | 'environment'> & {
  /** The published document that the policy is bound to, as PROJECT@VERSION. */
  readonly bound?: string | undefined
}

/** @throws SvcError as `readFileText`; `gateway-policy-invalid` */
async function ofFile(name: string, hasDocument: boolean, cwd: string): Promise<Subject> {
  const { text } = await readFileText(name, cwd)
  const document = parseDocument(text, { source: name })
  const refuse = (
    problems: readonly { readonly line: number; readonly character: number; readonly message: string }[],
  ) =>
    new SvcError('gateway-policy-invalid', {
      file: name,
      problems: problems
        .toSorted((a, b) => a.line - b.line || a.character - b.character)
        .slice(0, 20)
        .map((it) => `${name}:${it.line + 1}:${it.character + 1}: ${it.message}`),
    })
  const unreadable = document.problems.filter(({ severity }) => severity === 'error')
  if (unreadable.length > 0) throw refuse(unreadable.map(({ range, message }) => ({ ...range.start, message })))
  const read = readPolicyFile(document.value, hasDocument)
  if ('policy' in read)
    return { policy: read.policy, policyVersion: 1, environment: { id: 'local', ...read.environment } }
  throw refuse(
    read.map(({ path, isKey, message }) => ({
      ...document.locate(path, isKey ? { key: true } : {}).start,
      message,
    })),
  )
}

/** The policy as the service shows it. */
function policyOf({ presets, managedGroups, rules, exceptions, positive }: SecurityPolicy): Policy {
  const { levels: _, rate, ...kept } = presets
  return {
    presets: { ...kept, rate: rate === null ? null : { key: 'ip', ...rate } },
    groups: Object.fromEntries(
      managedGroups.flatMap(({ id, mode, reason }): [string, GroupSetting][] =>
        mode === null ? [] : [[id, { mode, reason }]],
      ),
    ),
    rules: rules.map((it) => ({
      ...it,
      expression: readExpression(it.expression),
      rate: it.rate === null ? null : { key: 'ip', ...it.rate },
    })),
    removedRules: [],
    exceptions: exceptions.map((it) => ({ ...it })),
    positive,
  }
}

async function ofService(ref: string, { connection }: CompileInvocation): Promise<Subject> {
  const { call, query } = await securityCall(connection)
  const params = { environment_id: ref }
  const it = await call(environmentsApi.get, { params, query })
  const shown = await call(gatewayApi.get, { params, query })
  const { projectSlug, bound, problem } = await call(gatewayPositiveApi.positive, { params, query })
  if (problem !== null && shown.positive !== null && shown.positive.mode !== 'off')
    throw new SvcError('positive-version-unusable', {
      version: shown.positive.version,
      project: projectSlug ?? shown.positive.projectId,
      reason: problem.replace(/\.$/, ''),
    })
  return {
    policy: policyOf(shown),
    policyVersion: shown.policyVersion,
    environment: { id: it.id, slug: it.slug, hostnames: it.hostnames, basePaths: it.base_paths },
    bound: bound === null || projectSlug === null ? undefined : `${projectSlug}@${bound.label}`,
  }
}

async function subjectOf(invocation: CompileInvocation): Promise<Subject> {
  const { args, options, cwd } = invocation
  if (options.environment !== undefined) {
    if (options.policy !== undefined)
      throw new SvcError('usage', { reason: 'Give --policy or --environment, not both' })
    return ofService(options.environment, invocation)
  }
  const hasDocument = args.document !== undefined
  if (options.policy !== undefined) return ofFile(options.policy, hasDocument, cwd)
  const environment = { id: 'local', slug: 'local', hostnames: [], basePaths: [] }
  return { policy: usualPolicy(hasDocument), policyVersion: 1, environment }
}

const mostListed = 20

/** What the engine does of a policy. */
export function settingsText({
  settings,
  off,
  notEnforced,
}: Pick<Manifest, 'settings' | 'off' | 'notEnforced'>): string {
  const enforced = settings
    .filter(({ state, setting }) => state === 'enforced' && !off.includes(setting))
    .map(({ setting }) => setting)
  const others = settings.filter(({ state }) => state !== 'enforced')
  const first =
    enforced.length === 0 ? 'Nothing is enforced exactly as it says.\n' : `Enforced: ${enforced.join(', ')}\n`
  const table =
    others.length === 0
      ? ''
      : `\n${renderTable(
          ['SETTING', 'STATE', 'WHY'],
          others.map((it) => [it.setting, it.state, it.reason ?? '']),
        )}`
  const shown = notEnforced.slice(0, mostListed)
  const more = notEnforced.length - shown.length
  const places =
    shown.length === 0
      ? ''
      : `\nNot checked of the document:\n${renderTable(
          ['CHECK', 'PLACE', 'WHY'],
          shown.map((it) => [it.check, it.pointer === '' ? '(whole)' : it.pointer, it.reason]),
        )}` + (more > 0 ? `and ${plural(more, 'more place')}; release.json lists all of them\n` : '')
  return first + (off.length === 0 ? '' : `Off: ${off.join(', ')}\n`) + table + places
}

function summary(input: CompileInput, compiled: Compiled, manifest: Manifest): string {
  const { blocking, detection, threshold } = levelsOf(input.policy.presets)
  const { tier } = input.policy.presets
  const levels =
    tier === 'off' ? '' : `, blocks at level ${blocking} from a score of ${threshold}, reports at ${detection}`
  const rules = compiled.files
    .filter(({ path }) => path.endsWith('.conf') && !path.includes('/'))
    .reduce((sum, { text }) => sum + (text.match(/"id:\d/g)?.length ?? 0), 0)
  return renderFacts([
    ['engine', input.dialect],
    ['tier', tier + levels],
    ['rules', `${rules}, beside those of the rule set`],
    [
      'operations',
      compiled.operations === 0 ? null : `${compiled.operations}, ${plural(compiled.bodies, 'body schema')}`,
    ],
    ['files', String(manifest.files.length)],
    ['digest', manifest.digest],
  ])
}

/** Why no configuration can name a folder; null: it can. */
const placeProblem = (place: string): string | null =>
  !isAbsolute(place)
    ? `--installed-at is the whole path of a folder, as /etc/svc/waf, not "${place}"`
    : /["'\\`\p{Cc}]/u.test(place)
      ? `A configuration cannot name the folder ${JSON.stringify(place)}: it has quotes, backslashes or control characters`
      : null

/**
 * Compiles, writes the folder and says what the engine does of the policy.
 * @throws SvcError `usage`, `gateway-policy-invalid`, `file-unwritable`, and those of reading a document
 */
export async function compilePolicy(invocation: CompileInvocation): Promise<Result> {
  const { args, options, cwd } = invocation
  const { dialect, program } = targetOf(options.engine)
  const folder = resolve(cwd, options.output)
  const place = options['installed-at'] ?? folder
  const folderProblem = placeProblem(place) ?? program?.folderProblem(place) ?? null
  if (folderProblem !== null) throw new SvcError('usage', { reason: folderProblem })
  if (options.crs !== undefined && !/^[@\w./-]+$/.test(options.crs))
    throw new SvcError('usage', { reason: '--crs has characters that no path of a rule set has' })
  const { bound, ...subject } = await subjectOf(invocation)
  // What is named is meant; else what a release of the environment is made of.
  const named = args.document ?? bound
  const document: Json = named === undefined ? null : (await readComplete(named, undefined, invocation)).value
  const input: CompileInput = {
    ...subject,
    document,
    dialect,
    releaseId: `local-${policyDigest(subject.policy).slice(7, 19)}`,
    crs: options.crs ?? 'bundled',
  }
  const compiled = compileRelease(input)
  const entry = compiled.files.find(({ path }) => path === 'svc.conf')?.text ?? ''
  const { hostnames } = input.environment
  const files = [...(program?.files(entry, compiled.files, { folder: place, hostnames }) ?? []), ...compiled.files].map(
    (it) => placedIn(it, place),
  )
  const manifest = manifestOf(input, compiled, files)
  writeRelease(options.output, folder, files, manifest)
  const refusal = options.check === false || place !== folder ? null : refusalOf(dialect, folder)
  const next = `${(program ?? dialectOf(dialect)).nextStep(place)}\n`
  return {
    exitCode: refusal === null ? 0 : 6,
    data: { out: options.output, ...manifest },
    text: `${summary(input, compiled, manifest)}\n${settingsText(manifest)}\n${refusal === null ? next : `${refusal}\n`}`,
  }
}
