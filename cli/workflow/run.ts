/** `svc run`: reads, runs, reports. */
import { resolve } from 'node:path'
import { replaceFile } from '../../server/disk/door.ts'
import { SvcError, type ExitCode } from '../../src/errors.ts'
import { type JsonObject, textOf } from '../../src/kernel/json.ts'
import { suggest } from '../../src/kernel/suggest.ts'
import { reportFormats } from '../../src/report/formats.gen.ts'
import { rootWorkflows, workflowNamed, workflowsIn, type WorkflowDocument } from '../../src/workflow/document.ts'
import { stepsOf, type RunResult } from '../../src/workflow/result.ts'
import { dependenciesOf, runWorkflows } from '../../src/workflow/run.ts'
import { Redaction } from '../../src/workflow/secrets.ts'
import type { Invocation, Result } from '../declare.ts'
import { unwritableFile } from '../input/file-error.ts'
import { findingFormats, writeFindings } from '../output/reports.ts'
import { version } from '../version.gen.ts'
import { readCredentials } from './credentials.ts'
import { findingsOf } from './findings.ts'
import { asHar } from './har.ts'
import { assertComplete, assertDeclared, inputsFor, pairsOf, readInputs } from './inputs.ts'
import { asJunit } from './junit.ts'
import { loadWorkflows, type Loaded } from './load.ts'
import { runFormats, type RunOptions } from './options.ts'
import { mocked, network } from './send.ts'
import { runText, workflowData } from './show.ts'

type RunInvocation = Invocation<{ readonly file: string; readonly workflow: string | undefined }, RunOptions>

interface Target {
  readonly format: string
  readonly path: string
}

function readTarget(text: string): Target {
  const at = text.indexOf('=')
  const [format, path] = at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
  if (!runFormats.includes(format)) {
    const near = suggest(format, runFormats)
    const meant = near === null ? `it is one of ${runFormats.join(', ')}` : `did you mean ${near}?`
    throw new SvcError('usage', { reason: `Unknown report format "${format}"; ${meant}` })
  }
  if (path === '') throw new SvcError('usage', { reason: `--report takes FORMAT=PATH, not "${text}"` })
  return { format, path }
}

/** The workflows to run. @throws SvcError `usage` for one that is not there */
function chosenIn(document: WorkflowDocument, id: string | undefined): readonly string[] {
  if (id === undefined) return rootWorkflows(document)
  if (workflowNamed(document, id) !== undefined) return [id]
  const ids = workflowsIn(document).map(({ workflowId }) => textOf(workflowId))
  const near = suggest(id, ids)
  const meant = near === null ? `; its workflows are ${ids.join(', ')}` : `; did you mean "${near}"?`
  throw new SvcError('usage', { reason: `${document.name} has no workflow "${id}"${meant}` })
}

function readServers(list: readonly string[], document: WorkflowDocument): ReadonlyMap<string, string> {
  const servers = pairsOf('server', list, 'URL')
  for (const [name, url] of servers) {
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      throw new SvcError('usage', { reason: `--server ${name}= takes an address of HTTP, not "${url}"` })
    if (document.sources.has(name)) continue
    const near = suggest(name, [...document.sources.keys()])
    const meant = near === null ? `; they are ${[...document.sources.keys()].join(', ')}` : `; did you mean "${near}"?`
    throw new SvcError('usage', { reason: `No source description is named "${name}"${meant}` })
  }
  return servers
}

interface Done {
  readonly result: RunResult
  readonly loaded: Loaded
  readonly redaction: Redaction
  readonly begun: number
}

function writeReport({ format, path }: Target, { result, loaded, redaction, begun }: Done, cwd: string): void {
  const target = resolve(cwd, path)
  try {
    replaceFile(target, reportText(format))
  } catch (error) {
    throw unwritableFile(path, error)
  }

  function reportText(id: string): string {
    const at = new Date(begun).toISOString()
    if (id === 'har') return asHar(result.calls, begun, redaction)
    if (id === 'junit') return redaction.text(asJunit(result.workflows, at))
    const known = findingFormats.find((it) => it === id)
    if (known === undefined) return ''
    const findings = findingsOf(result.workflows, loaded.texts).map((it) => ({
      ...it,
      message: redaction.text(it.message),
    }))
    const sources = new Map([...loaded.texts].map(([name, { text }]) => [name, text] as const))
    return writeFindings(reportFormats[known], { findings, grade: null, sources, toolVersion: version, at }, false)
  }
}

const exitCodesOf = ({ workflows }: RunResult): readonly ExitCode[] => {
  if (workflows.every(({ status }) => status === 'passed')) return []
  return stepsOf(workflows).some(({ status, unanswered }) => status === 'failed' && unanswered) ? [3, 4] : [4]
}

async function run(invocation: RunInvocation, loaded: Loaded): Promise<Done> {
  const { args, options, globals, signal, env } = invocation
  const { document } = loaded
  if (globals.offline && !options.mock)
    throw new SvcError('usage', { reason: '--offline requests nothing: run the workflow with --mock' })
  const workflows = chosenIn(document, args.workflow)
  const servers = readServers(options.server, document)
  const credentials = readCredentials(options.credential, document, env)
  const given = await readInputs(options, invocation)
  const all: readonly JsonObject[] = workflowsIn(document)
  const needed = new Set([...workflows, ...dependenciesOf(document, workflows)])
  const begins = all.filter((it) => needed.has(textOf(it.workflowId)))
  assertDeclared(document, args.workflow === undefined ? all : begins, given)
  for (const it of begins) assertComplete(document, it, given)
  const begun = Date.now()
  const result = await runWorkflows(
    {
      document,
      workflows,
      inputsOf: (workflow) => inputsFor(document, workflow, given),
      servers,
      credentials,
      limits: { deadlineMs: options['max-time'], requestMs: globals.timeoutMs, maxSteps: options['max-steps'] },
    },
    options.mock ? mocked : network(options['max-answer'] * 1_000_000, signal),
  )
  const redaction = new Redaction([...given.secrets.values(), ...result.secrets])
  return { result, loaded, redaction, begun }
}

/**
 * Runs the workflows of a file.
 * @throws SvcError `usage` for options that fit nothing; as `loadWorkflows` does; `file-unwritable` for a report
 */
export async function runFile(invocation: RunInvocation): Promise<Result> {
  const { args, options, cwd } = invocation
  const targets = options.report.map(readTarget)
  const loaded = await loadWorkflows(args.file, pairsOf('source', options.source, 'DOCUMENT'), invocation)
  const done = await run(invocation, loaded)
  const { result, redaction } = done
  for (const target of targets) writeReport(target, done, cwd)
  return {
    exitCode: exitCodesOf(result),
    data: {
      file: args.file,
      mock: options.mock,
      requests: result.calls.length,
      workflows: result.workflows.map((it) => workflowData(it, redaction)),
      coverage: result.coverage,
    },
    text: () => runText(result.workflows, result.coverage, redaction),
  }
}
