/** `svc run`: what a step costs beside the time of the server, and Redocly's runner on the same workflow. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createConfig, logger } from '@redocly/openapi-core'
import { run as respect } from '@redocly/respect-core'
import { isObject } from '../src/kernel/json.ts'
import { parseDocument } from '../src/document/parse.ts'
import { readDescription } from '../src/workflow/openapi.ts'
import { runWorkflows } from '../src/workflow/run.ts'
import type { WorkflowDocument } from '../src/workflow/document.ts'
import { network } from '../cli/workflow/send.ts'
import { freshFolder, median, type Measurement } from './measure.ts'

const steps = 100
const runs = 15

const shop = (server: string): string => `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
servers: [{ url: ${server} }]
paths:
  /orders/{id}:
    get:
      operationId: getOrder
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses:
        '200':
          description: The order
          content:
            application/json:
              schema:
                type: object
                required: [id, next, lines]
                properties:
                  id: { type: string }
                  next: { type: string }
                  lines: { type: array, items: { type: object, required: [sku, price], properties: { sku: { type: string }, price: { type: number } } } }
`

const flow = (): string => {
  const all = Array.from({ length: steps }, (_, at) => {
    const id = at === 0 ? "'0'" : `$steps.s${at - 1}.outputs.next`
    return `      - stepId: s${at}
        operationId: getOrder
        parameters: [{ name: id, in: path, value: ${id} }]
        successCriteria:
          - condition: $statusCode == 200
          - condition: $response.body#/next != null
        outputs: { next: $response.body#/next }
`
  })
  return `arazzo: 1.0.1
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: shop, url: shop.yaml, type: openapi }]
workflows:
  - workflowId: chain
    steps:
${all.join('')}`
}

const lines = Array.from({ length: 20 }, (_, at) => ({ sku: `A-${at}`, price: at }))

function serve(): { readonly url: string; stop(): void } {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const id = new URL(request.url).pathname.split('/').at(-1) ?? '0'
      return Response.json({ id, next: String(Number(id) + 1), lines })
    },
  })
  return { url: server.url.href.replace(/\/$/, ''), stop: () => void server.stop(true) }
}

const nothing = (): void => {}

interface Taken {
  readonly elapsed: number
  /** Of this process, which is the server too. */
  readonly processor: number
}

async function timed(work: () => Promise<void>): Promise<Taken> {
  const begun = performance.now()
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return { elapsed: performance.now() - begun, processor: (user + system) / 1000 }
}

async function medianOf(work: () => Promise<void>): Promise<Taken> {
  await work()
  const times: Taken[] = []
  for (let at = 0; at < runs; at++) times.push(await timed(work))
  return { elapsed: median(times.map((it) => it.elapsed)), processor: median(times.map((it) => it.processor)) }
}

function documentOf(server: string): WorkflowDocument {
  const parsed = (text: string) => {
    const { value } = parseDocument(text, { source: 'a.yaml' })
    return isObject(value) ? value : {}
  }
  const description = readDescription('shop', 'shop.yaml', parsed(shop(server)))
  return { name: 'flow.yaml', root: parsed(flow()), sources: new Map([['shop', { kind: 'openapi', description }]]) }
}

/** Measures a workflow of 100 steps. */
export async function workflowRuns(): Promise<readonly Measurement[]> {
  const { url, stop } = serve()
  const folder = freshFolder('run')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'shop.yaml'), shop(url))
  const file = join(folder, 'flow.arazzo.yaml')
  writeFileSync(file, flow())
  const bare = await medianOf(async () => {
    for (let at = 0; at < steps; at++) await (await fetch(`${url}/orders/${at}`)).json()
  })
  const document = documentOf(url)
  const ours = await medianOf(async () => {
    const limits = { deadlineMs: 60_000, requestMs: 5000, maxSteps: 1000 }
    const asked = { document, workflows: ['chain'], inputsOf: () => ({}), servers: new Map<string, string>(), limits }
    const { workflows } = await runWorkflows(asked, network(1_000_000, new AbortController().signal))
    if (workflows[0]?.status !== 'passed') throw new Error(workflows[0]?.reason ?? 'The workflow failed')
  })
  // Its messages are no part of the work.
  const silent = {
    output: nothing,
    info: nothing,
    warn: nothing,
    error: nothing,
    printNewLine: nothing,
    printSeparator: nothing,
  }
  const quiet: typeof logger = Object.assign(Object.create(logger) as typeof logger, silent)
  // The runner has its own copy of the library that makes its configuration, and types of its own.
  const config = (await createConfig({})) as unknown as Parameters<typeof respect>[0]['config']
  const peer = await medianOf(async () => {
    const results = await respect({
      files: [file],
      config,
      maxSteps: 2000,
      maxFetchTimeout: 5000,
      requestFileLoader: { getFileBody: () => Promise.reject(new Error('no files')) },
      logger: quiet,
      fetch,
      skipLint: true,
    })
    if (results.some((it) => it.hasProblems)) throw new Error('A step of the peer failed')
  })
  stop()
  const line = { unit: 'ms', goal: '' } as const
  return [
    {
      ...line,
      name: `a step of a workflow of ${steps} steps, beside the time of the server`,
      ours: (ours.elapsed - bare.elapsed) / steps,
      reference: 2,
      referenceName: 'the bound',
      goal: '≤ 2 ms',
    },
    {
      ...line,
      name: 'the same, processor time',
      ours: (ours.processor - bare.processor) / steps,
      reference: 2,
      referenceName: 'the bound',
      goal: '≤ 2 ms',
    },
    {
      ...line,
      name: `a workflow of ${steps} steps in one process`,
      ours: ours.elapsed,
      reference: peer.elapsed,
      referenceName: '@redocly/respect-core 2.37',
      goal: 'less',
    },
    {
      ...line,
      name: 'the same',
      ours: ours.elapsed,
      reference: bare.elapsed,
      referenceName: `${steps} bare requests`,
      goal: '',
    },
  ]
}
