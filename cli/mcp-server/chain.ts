/** Whether tools fit together: where their definitions come from, and what is printed. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { mcpServersApi } from '../../src/api/mcp-servers.ts'
import { SvcError } from '../../src/errors.ts'
import { isObject, type Json, type JsonObject } from '../../src/kernel/json.ts'
import { plural } from '../../src/kernel/plural.ts'
import { suggest } from '../../src/kernel/suggest.ts'
import { cutTo } from '../../src/kernel/text.ts'
import type { Chained, ChainMatrix } from '../../src/mcp-catalogue/chain.ts'
import { readUpload } from '../../src/mcp-catalogue/observe.ts'
import type { Invocation } from '../declare.ts'
import { readText } from '../input/named-file.ts'
import { findServer } from './shared.ts'

/** The tools that a server of the catalogue offers, or that a file lists. */
export interface Tools {
  readonly server: string
  readonly tools: readonly JsonObject[]
}

const onlyObjects = (items: readonly unknown[]): JsonObject[] =>
  items.filter((it) => isObject(it as Json)) as JsonObject[]

/**
 * The tools of a server of the catalogue, as they were observed last or else declared, or those that a file lists.
 * @throws SvcError `mcp-endpoint-not-found`, `mcp-surface-not-found`, `manifest-invalid`
 */
export async function toolsOf(server: string, invocation: Invocation): Promise<Tools> {
  if (existsSync(resolve(invocation.cwd, server)))
    return { server, tools: readUpload(await readText(server, invocation)).surface.tools }
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

/** What is decided of a pair, in a sentence. */
export function chainText({ from, to, fits, counterexample, reason }: Chained): string {
  if (fits === true) return `Every output of ${from} is an input of ${to}.\n`
  if (fits === null) return `Undecided whether the outputs of ${from} are inputs of ${to}: ${reason ?? ''}\n`
  return `${from} may answer what ${to} refuses: ${shortJson(counterexample ?? null)}\n`
}

/** Which tools fit which, and the first value of each pair that does not. */
export function matrixText({ pairs, silent, from, more }: ChainMatrix): string {
  const fitting = pairs.filter((it) => it.fits === true)
  const lines = from.map((name) => {
    const to = fitting.filter((it) => it.from === name).map((it) => it.to)
    return `${name}: ${to.length === 0 ? 'fits no tool' : `fits ${to.join(', ')}`}\n`
  })
  const refused = pairs
    .filter((it) => it.fits === false)
    .map(({ from: a, to: b, counterexample }) => `  ${a} to ${b}: ${shortJson(counterexample ?? null)}\n`)
  const undecided = pairs.filter((it) => it.fits === null)
  return [
    ...lines,
    ...(refused.length === 0 ? [] : ['\nA value that does not fit:\n', ...refused]),
    ...(undecided.length === 0 ? [] : [`\n${plural(undecided.length, 'pair')} undecided.\n`]),
    ...(silent.length === 0 ? [] : [`\nWithout an output schema: ${silent.join(', ')}\n`]),
    ...(more === 0 ? [] : [`\n${plural(more, 'more pair')} not looked at.\n`]),
  ].join('')
}
