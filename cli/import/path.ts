/** What `svc import FORMAT PATH` is for every format, and the request that its options make. */
import type { ImportJob, ImportRequest } from '../../src/api/imports.ts'
import { SvcError } from '../../src/errors.ts'
import { splitOverride } from '../../src/import/override.ts'
import type { Invocation, Result } from '../declare.ts'
import { readOverlays } from './overlays.ts'
import type { OptionValues } from '../options.ts'
import type { gitOptions } from '../input/git/address.ts'
import type {
  bulkOptions,
  dryRunOption,
  guideOptions,
  linkOption,
  overlayOption,
  qualityOptions,
  rootOption,
  schemaOptions,
  targetOptions,
  versionIdOption,
} from './options.ts'
import { readReports, runImport, unlessInterrupted, type RunOptions } from './run.ts'
import { failuresOfVerdict, judgeByGuide, refuseByVerdict, rereadable, summaryOfVerdict } from './guide.ts'
import { gradeLine } from './render.ts'
import { gather } from './source.ts'
import { usageError } from '../usage-error.ts'

/** The values of all options that say something about the import; a command has some of them. */
export type RequestOptions = Partial<
  OptionValues<typeof targetOptions> &
    OptionValues<typeof dryRunOption> &
    OptionValues<typeof rootOption> &
    OptionValues<typeof overlayOption> &
    OptionValues<typeof qualityOptions> &
    OptionValues<typeof guideOptions> &
    OptionValues<typeof versionIdOption> &
    OptionValues<typeof schemaOptions> &
    OptionValues<typeof bulkOptions> &
    OptionValues<typeof gitOptions>
>

/**
 * KEY=SPEC, each.
 * @throws SvcError `override-invalid`, and `usage` for a key that is named twice
 */
export function readOverrides(given: readonly string[]): Record<string, string> {
  const overrides: Record<string, string> = {}
  for (const text of given) {
    const [key, spec] = splitOverride(text)
    if (overrides[key] !== undefined && overrides[key] !== spec)
      throw usageError(`--override is given twice for "${key}".`)
    overrides[key] = spec
  }
  return overrides
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function assertSensible(options: RequestOptions): void {
  for (const name of ['project-id', 'version-id'] as const) {
    const id = options[name]
    if (id !== undefined && !uuid.test(id))
      throw usageError(`--${name} must be a UUID ("svc ${name.slice(0, -3)} show" prints it as Id), not "${id}".`)
  }
  if (options.publish && options.visibility && options.publish !== options.visibility)
    throw usageError('--publish and --visibility are the same option and have different values.')
  const publish = options.publish ?? options.visibility
  if (options.force === true && publish === undefined)
    throw usageError('--force requires --publish: it skips publishing gates.')
  if (options.reason !== undefined && options.force !== true) throw usageError('--reason requires --force.')
  if ((options.override ?? []).length > 0 && options.bulk !== true) throw usageError('--override requires --bulk.')
  const single = (['project-name', 'project-slug', 'version-slug', 'version-id', 'name'] as const).find(
    (name) => options.bulk === true && options[name] !== undefined,
  )
  if (single !== undefined)
    throw usageError(`--${single} cannot be used with --bulk; use --override for a single document.`)
}

/** The request that the options make, without its source. */
export function requestOf(format: string, options: RequestOptions): Omit<ImportRequest, 'source'> {
  assertSensible(options)
  const publish = options.publish ?? options.visibility
  if (options.version?.trim() === '') throw new SvcError('usage', { reason: 'The label of the version is empty' })
  const overrides = readOverrides(options.override ?? [])
  return {
    format,
    ...(options['dry-run'] ? { dry_run: true } : {}),
    ...(options.root ? { root: options.root } : {}),
    ...(options.bulk ? { bulk: true } : {}),
    ...(options['project-name'] ? { project_name: options['project-name'] } : {}),
    ...(options['project-name-field'] ? { project_name_field: options['project-name-field'] } : {}),
    ...(options.version ? { version: options.version } : {}),
    ...(options['project-id'] ? { project_id: options['project-id'] } : {}),
    ...(options['project-slug'] ? { project_slug: options['project-slug'] } : {}),
    ...(options['version-slug'] ? { version_slug: options['version-slug'] } : {}),
    ...(options['version-id'] ? { version_id: options['version-id'] } : {}),
    ...(options.as ? { as: options.as } : {}),
    ...(options.name ? { name: options.name } : {}),
    ...(options.description === undefined ? {} : { description: options.description }),
    ...(publish ? { publish } : {}),
    ...(options.force ? { force: true } : {}),
    ...(options.reason ? { force_reason: options.reason } : {}),
    ...(options['min-grade'] ? { min_grade: options['min-grade'] } : {}),
    ...(options['fail-on'] ? { fail_on: options['fail-on'] } : {}),
    ...(Object.keys(overrides).length > 0 ? { overrides } : {}),
  }
}

type DocumentInvocation = Invocation<{ readonly path: string }, RequestOptions & RunOptions>

/** Imports what PATH names, by the format. */
export async function importPath(format: string, invocation: DocumentInvocation): Promise<Result> {
  const around = rereadable(invocation)
  const { args, options, signal, globals } = around
  // What is wrong with the options is said before anything is read or sent.
  const request = requestOf(format, options)
  readReports(options.report ?? [], globals.json)
  const gathered = await unlessInterrupted(gather(args.path, around), signal)
  const { kind } = gathered.source
  if (options.bulk === true && (options.overlay ?? []).length > 0)
    throw usageError('--overlay is for one document; with --bulk, name overlays in svc.yaml.')
  if (options.bulk === true && kind === 'inline')
    throw usageError(`--bulk requires an archive or a folder, but ${args.path} is one document.`)
  // A document may need what cannot be read; of many documents it fails alone.
  const [unread] = gathered.unread ?? []
  if (options.bulk !== true && unread !== undefined) throw unread.error
  const overlays = [...(gathered.overlays ?? []), ...(await readOverlays(options.overlay ?? [], around))]
  const root = options.root ?? (options.bulk === true ? null : gathered.root)
  const whole = {
    ...request,
    ...(root === null ? {} : { root }),
    ...(overlays.length === 0 ? {} : { overlays }),
  }
  const isAsked = options['min-grade'] !== undefined || options['fail-on'] !== undefined
  if (!isAsked && options.guide === undefined) return runImport(gathered, whole, options, around)
  if ((options.overlay ?? []).length > 0) {
    if (options.guide !== undefined)
      throw usageError('--guide cannot be used with --overlay: name the overlays in svc.yaml instead.')
    around.io.log.info('With --overlay, the guide of the organization decides.')
    return runImport(gathered, whole, options, around)
  }
  const verdict = await judgeByGuide({ input: args.path, root: options.root ?? null, gathered, options }, around)
  if (verdict === null) return runImport(gathered, whole, options, around)
  const failures = isAsked ? failuresOfVerdict(verdict) : []
  if (failures.length > 0 || !verdict.gate.passed) return refuseByVerdict(verdict, failures, options, around)
  around.io.log.info(
    `Grade by ${verdict.report.guide}: ${gradeLine(verdict.grade)}. What is stored is graded by the guide of the organization.`,
  )
  // The guide has decided; the service would use another one.
  const { min_grade: _, fail_on: __, ...judged } = whole
  const result = await runImport({ ...gathered, judged: verdict.report }, judged, options, around)
  return { ...result, summary: { ...result.summary, ...summaryOfVerdict(verdict) } }
}

/**
 * The same, and with --link-project-property the schemas of the draft refer to registered types afterwards.
 * @throws SvcError `usage` where there is no draft to link
 */
export async function importAndLink(
  format: string,
  invocation: Invocation<
    { readonly path: string },
    RequestOptions & RunOptions & Partial<OptionValues<typeof linkOption>>
  >,
): Promise<Result> {
  const { options, connection } = invocation
  if (options['link-project-property'] !== true) return importPath(format, invocation)
  const others: readonly (readonly [name: string, isGiven: boolean])[] = [
    ['--bulk', options.bulk === true],
    ['--dry-run', options['dry-run'] === true],
    ['--no-wait', options.wait === false],
    ['--publish', (options.publish ?? options.visibility) !== undefined],
  ]
  const other = others.find(([, isGiven]) => isGiven)?.[0]
  if (other !== undefined)
    throw usageError(`--link-project-property changes the draft of one document, so it cannot be used with ${other}.`)
  const result = await importPath(format, invocation)
  const made = (result.data as ImportJob | undefined)?.result ?? null
  if (made === null) return result
  const { linkTypes, linkedText } = await import('../type/link.ts')
  const { call, tenant } = await connection()
  const draft = { tenant: await tenant(), project: made.project_id, version: made.version_id }
  const linked = await linkTypes(call, draft, null)
  const said = typeof result.text === 'function' ? result.text() : (result.text ?? '')
  const before = typeof said === 'string' ? said : Array.from<string | number>(said).join('')
  return { ...result, summary: { ...result.summary, linked }, text: before + linkedText(linked) }
}
