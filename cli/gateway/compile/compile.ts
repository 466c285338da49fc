/** `svc gateway compile`: a policy as files of an engine, from a file or from the service. */
import { resolve } from 'node:path'
import { environmentsApi } from '../../../src/api/environments.ts'
import { gatewayApi, type SecurityPolicy } from '../../../src/api/gateway.ts'
import type { Json } from '../../../src/document/json.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { SvcError } from '../../../src/errors.ts'
import { caddyfile } from '../../../src/gateway/compile/caddyfile.ts'
import { compileRelease, type Compiled, type CompileInput, type Engine } from '../../../src/gateway/compile/index.ts'
import { manifestOf, type Manifest } from '../../../src/gateway/compile/manifest.ts'
import { readPolicyFile, usualPolicy } from '../../../src/gateway/compile/policy-file.ts'
import { policyDigest } from '../../../src/gateway/policy/digest.ts'
import { readExpression } from '../../../src/gateway/policy/expression.ts'
import { levelsOf, type GroupSetting, type Policy } from '../../../src/gateway/policy/model.ts'
import { plural } from '../../../src/plural.ts'
import type { Invocation, Result } from '../../declare.ts'
import { readComplete } from '../../convert/whole.ts'
import { readFileText } from '../../input/document-source.ts'
import { renderFacts, renderTable } from '../../table.ts'
import { securityCall } from '../shared.ts'
import { writeRelease } from './folder.ts'

export const engineChoices = ['coraza', 'caddy', 'coraza-wasm', 'modsecurity', 'nginx'] as const
type Choice = (typeof engineChoices)[number]

const engineOf = (it: Choice): Engine => (it === 'caddy' ? 'coraza' : it === 'nginx' ? 'modsecurity' : it)

interface Options {
  readonly engine: Choice
  readonly out: string
  readonly policy: string | undefined
  readonly environment: string | undefined
  readonly crs: string | undefined
}
type CompileInvocation = Invocation<{ readonly document: string | undefined }, Options>

type Subject = Pick<CompileInput, 'policy' | 'policyVersion' | 'environment'>

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
  return {
    policy: policyOf(shown),
    policyVersion: shown.policyVersion,
    environment: { id: it.id, slug: it.slug, hostnames: it.hostnames, basePaths: it.base_paths },
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

const nextStep = (choice: Choice, folder: string): string =>
  ({
    coraza: `Load ${folder}/svc.conf with Coraza 3.8 or newer; it includes the rule set by itself, without crs-setup.conf.`,
    caddy: `Run: caddy run --adapter caddyfile --config ${folder}/Caddyfile`,
    'coraza-wasm': `Put ${folder}/proxy/wasm-plugin.json into the configuration of the plugin.`,
    modsecurity: `Load ${folder}/svc.conf with ModSecurity 3; it includes the rule set by itself, without crs-setup.conf.`,
    nginx: `Add to the server block of nginx: modsecurity on; modsecurity_rules_file ${folder}/svc.conf;`,
  })[choice]

function summary(input: CompileInput, compiled: Compiled, manifest: Manifest): string {
  const { blocking, detection, threshold } = levelsOf(input.policy.presets)
  const { tier } = input.policy.presets
  const levels =
    tier === 'off' ? '' : `, blocks at level ${blocking} from a score of ${threshold}, reports at ${detection}`
  const rules = compiled.files
    .filter(({ path }) => path.endsWith('.conf') && !path.includes('/'))
    .reduce((sum, { text }) => sum + (text.match(/"id:\d/g)?.length ?? 0), 0)
  return renderFacts([
    ['engine', input.engine],
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

/**
 * Compiles, writes the folder and says what the engine does of the policy.
 * @throws SvcError `usage`, `gateway-policy-invalid`, `file-unwritable`, and those of reading a document
 */
export async function compilePolicy(invocation: CompileInvocation): Promise<Result> {
  const { args, options, cwd } = invocation
  const engine = engineOf(options.engine)
  const folder = resolve(cwd, options.out)
  if (options.engine === 'caddy' && !/^[\w ./-]+$/.test(folder))
    throw new SvcError('usage', {
      reason: `A Caddyfile cannot name the folder "${folder}": use letters, digits, ".", "_" and "-"`,
    })
  if (options.crs !== undefined && !/^[@\w./-]+$/.test(options.crs))
    throw new SvcError('usage', { reason: '--crs has characters that no path of a rule set has' })
  const subject = await subjectOf(invocation)
  const document: Json =
    args.document === undefined ? null : (await readComplete(args.document, undefined, invocation)).value
  const input: CompileInput = {
    ...subject,
    document,
    engine,
    releaseId: `local-${policyDigest(subject.policy).slice(7, 19)}`,
    crs: options.crs ?? 'bundled',
  }
  const compiled = compileRelease(input)
  const files = [
    ...(options.engine === 'caddy' ? [caddyfile(compiled, folder, input.environment.hostnames)] : []),
    ...compiled.files,
  ]
  const manifest = manifestOf(input, compiled, files)
  writeRelease(options.out, folder, files, manifest)
  return {
    data: { out: options.out, ...manifest },
    text: `${summary(input, compiled, manifest)}\n${settingsText(manifest)}\n${nextStep(options.engine, folder)}\n`,
  }
}
