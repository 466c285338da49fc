/**
 * Runs the examples of `@redocly/respect-core` with it and with `svc run`, against one server on this machine, and compares what each
 * sends and which steps pass: `bun bench/respect-examples.ts FOLDER`. The folder is `tests/e2e/respect` of the repository
 * Redocly/redocly-cli, with the description of the café (`resources/cafe.yaml` there) as `cafe-api.yaml`; examples of other APIs are
 * left out. Exit code 1 where something differs without a reason that is known.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { createConfig, logger } from '@redocly/openapi-core'
import { run as respect } from '@redocly/respect-core'
import { network } from '../cli/workflow/send.ts'
import { parseDocument } from '../src/document/parse.ts'
import { isObject, type JsonObject, textOf } from '../src/kernel/json.ts'
import { objectsOf, workflowsIn, type Source, type WorkflowDocument } from '../src/workflow/document.ts'
import { readDescription } from '../src/workflow/openapi.ts'
import { stepsOf } from '../src/workflow/result.ts'
import { runWorkflows } from '../src/workflow/run.ts'
import { freshFolder } from './measure.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error('usage: bun bench/respect-examples.ts FOLDER')
  process.exit(2)
}

const documentOf = (file: string): JsonObject => {
  const { value } = parseDocument(readFileSync(file, 'utf8'), { source: file })
  return isObject(value) ? value : {}
}

/** Requests as the server saw them, since the last look. */
let seen: string[] = []
const look = (): readonly string[] => {
  const [now] = [seen]
  seen = []
  return now
}

const faultOf = (path: string): JsonObject => ({
  type: 'about:blank',
  title: 'Bad Request',
  status: 400,
  details: { errors: [{ path: [path], message: `${path} is invalid` }] },
})

/** A café that answers as the examples expect of it. */
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { pathname, search, searchParams } = new URL(request.url)
    const text = await request.text()
    seen.push(`${request.method} ${pathname}${search}${text === '' ? '' : ` ${text}`}`)
    const answer = (status: number, value: JsonObject): Response => {
      const type = status === 200 ? 'application/json' : 'application/problem+json'
      const headers = { 'Content-Type': `${type}; charset=utf-8`, 'X-Powered-By': 'Express' }
      return Response.json(value, { status, headers })
    }
    if (pathname.startsWith('/menu-item-images/'))
      return new Response('A classic Italian tiramisu layered with mascarpone and espresso', {
        headers: { 'Content-Type': 'text/plain' },
      })
    if (pathname === '/oauth2/register') return answer(400, faultOf('name'))
    if (pathname === '/orders') return answer(401, { ...faultOf('token'), title: 'Unauthorized', status: 401 })
    if (pathname !== '/menu') return answer(404, { ...faultOf('path'), title: 'Not Found', status: 404 })
    if (searchParams.get('limit') === 'abc') return answer(400, faultOf('limit'))
    const page = { endCursor: null, startCursor: null, hasNextPage: false, hasPrevPage: false, limit: 10, total: 0 }
    return answer(200, { object: 'list', page, items: [] })
  },
})
const address = server.url.href.replace(/\/$/, '')

const copies = freshFolder('respect')
const description = join(copies, 'cafe-api.yaml')
mkdirSync(copies, { recursive: true })
writeFileSync(
  description,
  JSON.stringify({ ...documentOf(join(folder, 'cafe-api.yaml')), servers: [{ url: address }] }),
)

/** Whether the description of a source is that of the café. */
const isCafe = (it: JsonObject): boolean => /\/cafe(?:-api)?\.yaml$|^cafe-api\.yaml$/.test(textOf(it.url))

/** Copies an example so that its sources are on this machine; null where it is for another API. */
function copied(path: string): string | null {
  const root = documentOf(join(folder!, path))
  const sources = objectsOf(root.sourceDescriptions)
  if (!sources.every((it) => it.type === 'arazzo' || isCafe(it))) return null
  const target = join(copies, path)
  const sourceDescriptions = sources.map((it) => (it.type === 'arazzo' ? it : { ...it, url: description }))
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, JSON.stringify({ ...root, sourceDescriptions }))
  return target
}

function workflowDocument(file: string): WorkflowDocument {
  const root = documentOf(file)
  const sources = new Map<string, Source>()
  for (const it of objectsOf(root.sourceDescriptions)) {
    const [name, place] = [textOf(it.name), resolve(dirname(file), textOf(it.url))]
    const source: Source =
      it.type === 'arazzo'
        ? { kind: 'arazzo', document: workflowDocument(place) }
        : { kind: 'openapi', description: readDescription(name, place, documentOf(place)) }
    sources.set(name, source)
  }
  return { name: file, root, sources }
}

/** What a runner sent, and the last result of each step. */
interface Ran {
  readonly sent: readonly string[]
  readonly steps: readonly string[]
}

const ended = (steps: readonly (readonly [id: string, isPassed: boolean])[]): readonly string[] =>
  Array.from(new Map(steps), ([id, isPassed]) => `${id} ${isPassed ? 'passed' : 'failed'}`).toSorted()

async function ours(file: string): Promise<Ran> {
  const document = workflowDocument(file)
  const workflows = workflowsIn(document).map((it) => textOf(it.workflowId))
  const limits = { deadlineMs: 60_000, requestMs: 5000, maxSteps: 200 }
  const asked = { document, workflows, inputsOf: () => ({}), servers: new Map<string, string>(), limits }
  const { workflows: results } = await runWorkflows(asked, network(1_000_000, new AbortController().signal))
  const steps = stepsOf(results).filter(({ workflow, status }) => workflow === null && status !== 'skipped')
  return { sent: look(), steps: ended(steps.map(({ id, status }) => [id, status === 'passed'])) }
}

const nothing = (): void => {}
const silent = { output: nothing, info: nothing, warn: nothing, error: nothing, printNewLine: nothing }
const quiet = Object.assign(Object.create(logger) as typeof logger, silent, { printSeparator: nothing })

type Executed = Awaited<ReturnType<typeof respect>>[number]['executedWorkflows'][number]

type Visit = Executed['executedSteps'][number]

const isWorkflow = (it: Visit): it is Executed => Array.isArray((it as { executedSteps?: unknown }).executedSteps)

const executedIn = ({ executedSteps }: Executed): readonly (readonly [string, boolean])[] =>
  executedSteps.flatMap((it) =>
    isWorkflow(it) ? executedIn(it) : [[it.stepId, it.checks.every(({ passed }) => passed)] as const],
  )

async function theirs(file: string): Promise<Ran> {
  // The runner has its own copy of the library that makes its configuration, and types of its own.
  const config = (await createConfig({})) as unknown as Parameters<typeof respect>[0]['config']
  const results = await respect({
    files: [file],
    config,
    maxSteps: 200,
    maxFetchTimeout: 5000,
    requestFileLoader: { getFileBody: () => Promise.reject(new Error('no files')) },
    logger: quiet,
    fetch,
    skipLint: true,
  })
  return { sent: look(), steps: ended(results.flatMap((it) => it.executedWorkflows).flatMap(executedIn)) }
}

/** Why an example ends otherwise, by the name of its file. */
const reasons: Readonly<Record<string, string>> = {
  'action-parameters-passed-to-target-workflow':
    'the peer does not know the parameters of actions of Arazzo 1.1, and sends an input without a value as "undefined"; svc fails that step',
  'goto-step-keeps-outputs': 'the peer forgets the outputs of earlier steps at a goto',
  'workflow-depends-on-failed':
    'the peer ends the whole run; svc skips what depends on the workflow, and runs the next one',
  'workflow-failure-actions':
    'the peer knows a workflow of a source only with ".workflows." in the expression; svc also tries the next action when the retries are used up (Arazzo 1.1.0, "Failure Action Object", retryLimit)',
}

let [same, known, unknown, other] = [0, 0, 0, 0]
for (const path of [...new Bun.Glob('*/*.arazzo.yaml').scanSync(folder)].toSorted()) {
  const file = copied(path)
  if (file === null) {
    other++
    continue
  }
  for (const it of objectsOf(documentOf(file).sourceDescriptions))
    if (it.type === 'arazzo') copied(join(dirname(path), textOf(it.url)))
  const left = await ours(file)
  const right = await theirs(file).catch((error: unknown) => ({ error: String(error), sent: look() }))
  if (isDeepStrictEqual(left, right)) {
    same++
    console.log(`${path}: the same, ${left.sent.length} requests, ${left.steps.length} steps`)
    continue
  }
  const reason = reasons[basename(path, '.arazzo.yaml')]
  if (reason === undefined) unknown++
  else known++
  console.log(`${path}: otherwise${reason === undefined ? '' : `: ${reason}`}`)
  if (reason === undefined) console.log(JSON.stringify({ svc: left, respect: right }, null, 2))
}
console.log(`${same} the same, ${known} otherwise with a reason, ${unknown} without, ${other} for other APIs`)
void server.stop(true)
process.exit(unknown === 0 ? 0 : 1)
