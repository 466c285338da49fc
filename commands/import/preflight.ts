import type { ImportSource } from '../../src/api/imports.ts'
import { preflightApi } from '../../src/api/preflight.ts'
import { listImportFormats } from '../../src/import/importer.ts'
import { command } from '../../cli/declare.ts'
import { guideOptions, overlayOption, qualityOptions } from '../../cli/import/options.ts'
import { readOverlays } from '../../cli/import/overlays.ts'
import { failureFinding } from '../../cli/import/outcome.ts'
import { preflightCodes } from '../../cli/import/preflight-codes.ts'
import { answerOfGuide, preflightReport, renderPreflight } from '../../cli/import/preflight-report.ts'
import { readReports, unlessInterrupted, writeAll } from '../../cli/import/run.ts'
import { failuresOfVerdict, judgeByGuide, rereadable, textsOf } from '../../cli/import/guide.ts'
import { gather, type Gathered } from '../../cli/import/source.ts'
import { usageError } from '../../cli/usage-error.ts'

function inputOf(input: string | undefined, file: string | undefined, url: string | undefined): string {
  const given = [input, file, url].filter((it) => it !== undefined)
  const [only] = given
  if (only === undefined)
    throw usageError('Missing input: give INPUT, --file PATH, --url URL, or - for standard input.')
  if (given.length > 1) throw usageError('Give only one of INPUT, --file and --url.')
  if (url !== undefined && !/^https?:\/\//i.test(url))
    throw usageError(`--url must be an http or https URL, not "${url}".`)
  if (file !== undefined && /^https?:\/\//i.test(file))
    throw usageError(`--file takes a path, and "${file}" is an address; use --url.`)
  return only
}

// Without a threshold errors fail, as with "svc lint".
const byGuide = <O extends { readonly 'min-grade': unknown; readonly 'fail-on'?: unknown }>(options: O) =>
  options['min-grade'] === undefined && options['fail-on'] === undefined
    ? { ...options, 'fail-on': 'error' as const }
    : options

// A preflight takes JSON alone.
const inJson = (source: Gathered['source']): ImportSource =>
  source.kind === 'uploaded' ? { kind: 'archive', name: source.name, content_base64: source.bytes.toBase64() } : source

export default command({
  summary: 'Grade a document before importing it: findings and policy result, nothing is stored',
  description:
    'Nothing is stored, and no account is needed: without --base-url the guide and the policy of the local workspace apply. A style guide of this machine (--guide, .spectral.yaml) grades as "svc lint" does. Exit codes: 3 the quality policy of the organization blocks it, 4 --min-grade or --fail-on fails, 5 there is nothing to grade, 6 an import would be refused.',
  examples: [
    'svc import preflight openapi.yaml --min-grade B',
    'svc import preflight openapi.yaml --overlay partners.yaml',
    'svc import preflight specs.zip --root payments/openapi.yaml --report sarif=preflight.sarif',
    'svc import preflight --url https://example.com/openapi.json --target project',
  ],
  arguments: [{ name: 'input', summary: 'a file, an archive, a folder, an http(s) URL, or - for standard input' }],
  options: {
    file: { type: 'string', placeholder: 'PATH', summary: 'the same as INPUT, for a file' },
    url: { type: 'string', placeholder: 'URL', summary: 'the same as INPUT, for an http(s) address' },
    format: {
      type: 'string',
      placeholder: 'FORMAT',
      choices: ['auto', ...listImportFormats().map(({ id }) => id)],
      default: 'auto',
      summary: 'format of the document; auto detects it',
    },
    root: { type: 'string', placeholder: 'PATH', summary: 'the document inside an archive or a folder' },
    target: {
      type: 'string',
      placeholder: 'WHERE',
      choices: ['catalog', 'types', 'project'],
      default: 'catalog',
      summary:
        'catalog: the document by itself; types: also which types would be new, identical or in conflict in the registry; project: as a version of the project it would be imported into, compared with what is published there',
    },
    project: {
      type: 'string',
      placeholder: 'PROJECT',
      summary: 'id or slug of the project whose style guide applies (default: the guide of the organization)',
    },
    overlay: {
      ...overlayOption.overlay,
      summary:
        'apply this overlay to the document first, after those of svc.yaml; the guide of the organization grades',
    },
    'min-grade': { ...qualityOptions['min-grade'], summary: 'exit 4 when the grade is worse' },
    'fail-on': { ...qualityOptions['fail-on'], summary: 'exit 4 on a finding of this severity or worse' },
    report: qualityOptions.report,
    ...guideOptions,
    guide: {
      ...guideOptions.guide,
      summary:
        'style guide that grades, applied on this machine as "svc lint" does (default: .spectral.yaml and the like of this folder or above, unless --project is given; else the guide of the project or organization). The policy stays that of the organization',
    },
  },
  dataSchema: preflightApi.preflight.response,
  isBounded: true,
  async run(invocation) {
    const around = rereadable(invocation)
    const { args, options, globals, io, cwd, signal, connection } = around
    const input = inputOf(args.input, options.file, options.url)
    const targets = readReports(options.report, globals.json)
    const gathered = await unlessInterrupted(gather(input, around), signal)
    const named = await readOverlays(options.overlay ?? [], around)
    if (named.length > 0 && options.guide !== undefined)
      throw usageError('--guide cannot be used with --overlay: name the overlays in svc.yaml instead.')
    const overlays = [...(gathered.overlays ?? []), ...named]
    const root = options.root ?? gathered.root
    const { call, tenant } = await connection()
    const body = {
      source: inJson(gathered.source),
      format: options.format,
      target: options.target,
      ...(root === null ? {} : { root }),
      ...(overlays.length === 0 ? {} : { overlays }),
      ...(options.project === undefined ? {} : { project: options.project }),
      ...(options['min-grade'] === undefined ? {} : { min_grade: options['min-grade'] }),
      ...(options['fail-on'] === undefined ? {} : { fail_on: options['fail-on'] }),
    }
    const byService = (options.project !== undefined && options.guide === undefined) || named.length > 0
    const question = { input, root: options.root ?? null, gathered, options: byGuide(options) }
    const verdict = byService ? null : await judgeByGuide(question, around)
    const answered = await call(preflightApi.preflight, { params: { tenant_slug: await tenant() }, body })
    const answer = verdict === null ? answered : answerOfGuide(answered, verdict)
    const { refusal, findings } = answer
    const failed =
      refusal !== null && (refusal.code !== 'document-invalid' || findings.every((it) => it.severity !== 'error'))
    await gathered.unpack?.(findings.map((it) => it.source))
    const extra = failed ? [failureFinding(refusal.code, refusal.message, answer.source)] : []
    const { direct, failures } = await writeAll(targets, preflightReport(answer, extra, gathered, verdict), {
      cwd,
      io,
    })
    const asked = options['min-grade'] !== undefined || options['fail-on'] !== undefined
    const texts = verdict === null ? gathered : { ...gathered, text: textsOf(verdict.report) }
    const text = (): string =>
      direct ??
      (globals.quiet ? '' : renderPreflight(answer, { asked, verdict }, { gathered: texts, colour: io.colour.stdout }))
    const skipped = verdict === null ? [] : failuresOfVerdict(verdict)
    return {
      data: answer,
      exitCode: preflightCodes(answer, asked),
      ...(verdict === null ? {} : { summary: { guide: verdict.report.guide } }),
      text,
      failures: [...failures, ...skipped],
    }
  },
})
