/** Whether tools fit together: where their definitions come from, and what is printed. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { mcpServersApi } from '../../src/api/mcp-servers.ts'
import { SvcError } from '../../src/errors.ts'
import { isObject, type Json, type JsonObject } from '../../src/kernel/json.ts'
import { plural } from '../../src/kernel/plural.ts'
import { suggest } from '../../src/kernel/suggest.ts'
import { cutTo } from '../../src/kernel/text.ts'
import { type Chained, chainMatrix, type ChainMatrix } from '../../src/mcp-catalogue/chain.ts'
import { readUpload } from '../../src/mcp-catalogue/observe.ts'
import type { Invocation } from '../declare.ts'
import { readText } from '../input/named-file.ts'
import { findServer } from './shared.ts'

/** The tools that a server of the catalogue offers, or that a file lists. */
export interface Tools {
  readonly server: string
  readonly tools: readonly JsonObject[]
}

const isFile = (name: string, { cwd }: Invocation): boolean => existsSync(resolve(cwd, name))

const toolsIn = async (file: string, invocation: Invocation): Promise<readonly JsonObject[]> =>
  readUpload(await readText(file, invocation)).surface.tools

/**
 * Which tools of a server take what others answer: the service decides for one of the catalogue, this process for a file.
 * @throws SvcError `mcp-endpoint-not-found`, `mcp-surface-not-found`, `manifest-invalid`, `analysis-stopped`
 */
export async function matrixOf(server: string, invocation: Invocation): Promise<ChainMatrix> {
  if (isFile(server, invocation)) {
    const tools = await toolsIn(server, invocation)
    const begun = performance.now()
    // The deadline of the command would end it without an answer.
    return chainMatrix(tools, tools, { isOver: () => performance.now() - begun > invocation.globals.deadlineMs / 2 })
  }
  const { call, tenant } = await invocation.connection()
  const slug = await tenant()
  const { id } = await findServer(call, slug, server)
  return (await call(mcpServersApi.chains, { params: { tenant_slug: slug, endpoint_id: id } })) as ChainMatrix
}

const onlyObjects = (items: readonly unknown[]): JsonObject[] =>
  items.filter((it) => isObject(it as Json)) as JsonObject[]

/**
 * The tools of a server of the catalogue, as they were observed last or else declared, or those that a file lists.
 * @throws SvcError `mcp-endpoint-not-found`, `mcp-surface-not-found`, `manifest-invalid`
 */
async function toolsOf(server: string, invocation: Invocation): Promise<Tools> {
  if (isFile(server, invocation)) return { server, tools: await toolsIn(server, invocation) }
  const { call, tenant } = await invocation.connection()
  const slug = await tenant()
  const { id, observed } = await findServer(call, slug, server)
  const query = { at: observed === null ? 'declared' : 'observed' }
  const surface = await call(mcpServersApi.surface, { params: { tenant_slug: slug, endpoint_id: id }, query })
  return { server, tools: onlyObjects(surface.tools) }
}

/** A tool and its server. */
interface NamedTool extends Tools {
  readonly tool: JsonObject
}

const missing = (name: string): SvcError =>
  new SvcError('usage', {
    reason: `"${name}" names no tool: give SERVER.TOOL, such as com.example/weather.get_forecast`,
  })

/**
 * The tool that SERVER.TOOL names. Both parts may have dots: the longest name of a server that is known counts.
 * @throws SvcError `usage` where there is no such tool, and what finding the server raises
 */
export async function findTool(name: string, invocation: Invocation): Promise<NamedTool> {
  let refused: unknown = missing(name)
  for (let at = name.lastIndexOf('.'); at > 0; at = name.lastIndexOf('.', at - 1)) {
    const [server, wanted] = [name.slice(0, at), name.slice(at + 1)]
    try {
      const found = await toolsOf(server, invocation)
      const tool = found.tools.find((it) => it.name === wanted)
      if (tool !== undefined) return { ...found, tool }
      const near = suggest(
        wanted,
        found.tools.map((it) => String(it.name)),
      )
      throw new SvcError('usage', {
        reason: `"${server}" has no tool "${wanted}"${near === null ? '' : `; did you mean "${near}"?`}`,
      })
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== 'mcp-endpoint-not-found') throw error
      refused = error
    }
  }
  throw refused
}

const longestShown = 300
const shortJson = (value: Json): string => cutTo(JSON.stringify(value), longestShown)

/** The value that does not fit, and why; only why where it is too long. */
const refusedText = ({ counterexample, reason }: Pick<Chained, 'counterexample' | 'reason'>): string => {
  const why = reason === undefined ? '' : ` (${cutTo(reason, longestShown)})`
  return counterexample === undefined ? why.trim() : `${shortJson(counterexample)}${why}`
}

/** What is decided of a pair, in a sentence. */
export function chainText(chained: Chained): string {
  const { from, to, fits, reason } = chained
  if (fits === true) return `Every output of ${from} is an input of ${to}.\n`
  if (fits === null) return `Undecided whether the outputs of ${from} are inputs of ${to}: ${reason ?? ''}\n`
  return `${from} may answer what ${to} refuses: ${refusedText(chained)}\n`
}

/** Which tools fit which, and the first value of each pair that does not. */
export function matrixText({ pairs, silent, from, omitted, more }: ChainMatrix): string {
  const fitting = pairs.filter((it) => it.fits === true)
  const lines = from.map((name) => {
    const to = fitting.filter((it) => it.from === name).map((it) => it.to)
    return `${name}: ${to.length === 0 ? 'fits no tool' : `fits ${to.join(', ')}`}\n`
  })
  const refused = pairs.filter((it) => it.fits === false).map((it) => `  ${it.from} to ${it.to}: ${refusedText(it)}\n`)
  const undecided = pairs.filter((it) => it.fits === null)
  return [
    ...lines,
    ...(refused.length === 0 ? [] : ['\nA value that does not fit:\n', ...refused]),
    ...(undecided.length === 0 ? [] : [`\n${plural(undecided.length, 'pair')} undecided.\n`]),
    ...(silent.length === 0 ? [] : [`\nWithout an output schema: ${silent.join(', ')}\n`]),
    ...(more === 0
      ? []
      : [
          `\nNot compared, because there are too many tools (${plural(more, 'pair')}): ${cutTo(omitted.join(', '), longestShown)}\n`,
        ]),
  ].join('')
}
