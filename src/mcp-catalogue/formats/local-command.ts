import type { JsonObject, Path } from '../../kernel/json.ts'
import { droppedMark, packageOfCommand, withoutSecrets, withoutUrlSecrets } from '../command.ts'
import type { DraftTransport } from '../declare.ts'
import { manifestLimits, type Reading } from '../reading.ts'
import { isPlaceholder, looksSecret } from '../secrets.ts'
import type { DeclaredInput, DeclaredPackage } from '../types.ts'

/** A command, what it runs, and the remote server that it only leads to. */
export interface LocalCommand {
  readonly transport: DraftTransport
  readonly packages: readonly DeclaredPackage[]
  readonly bridged: string | null
}

const mostArguments = 200

/** An address of a configuration without its secrets: those in its path become the variable `{secret}`. */
export function publicAddress(reading: Reading, text: string, path: Path, what: string): string {
  const plain = withoutUrlSecrets(text)
  const cleaned = plain.replace(/^(https?:\/\/[^/?#]+)([^?#]*)/i, (_, origin: string, way: string) => {
    const steps = way.split('/').map((it) => (!isPlaceholder(it) && looksSecret(it) ? '{secret}' : it))
    return `${origin}${steps.join('/')}`
  })
  if (cleaned !== text) reading.note('secret-dropped', path, `A secret in ${what} was dropped: secrets are not stored.`)
  return cleaned
}

/**
 * Reads the command of a local server: `command` with `args` and `env`, without any secret.
 * @throws SvcError `manifest-invalid`
 */
export function readCommand(reading: Reading, holder: JsonObject, path: Path): LocalCommand {
  const { command } = holder
  const whole = Array.isArray(command) ? reading.list(holder, ['command'], path) : []
  const args = [...whole.slice(1), ...reading.list(holder, ['args', 'arguments'], path)]
  const program =
    whole.length > 0 ? String(whole[0]?.[0]) : reading.required(holder, ['command'], path, 'the local server')
  if (args.length > mostArguments) reading.fail(path, `it has ${args.length} arguments; ${mostArguments} are allowed`)
  const short = (text: string): string => (text.length > manifestLimits.text ? droppedMark : text)
  const texts = args.map(([it, at]) =>
    short(
      typeof it === 'string' || typeof it === 'number' ? String(it) : reading.fail(at, 'an argument must be a string'),
    ),
  )
  const clean = withoutSecrets(texts)
  for (const at of clean.dropped)
    reading.note(
      'secret-dropped',
      args[at]?.[1] ?? path,
      `A secret in argument ${at + 1} was dropped: secrets are not stored.`,
    )
  const inputs: DeclaredInput[] = ['env', 'environment'].flatMap((key) =>
    reading.values(holder[key], [...path, key], 'environment'),
  )
  const found = packageOfCommand(program, clean.args)
  const isBridge =
    found !== null && /^(?:mcp-remote|supergateway|@modelcontextprotocol\/mcp-remote)$/.test(found.identifier)
  const at = isBridge ? texts.findIndex((it) => /^https?:\/\//i.test(it)) : -1
  const bridged =
    at === -1 ? null : publicAddress(reading, texts[at] ?? '', args[at]?.[1] ?? path, `argument ${at + 1}`)
  const transport: DraftTransport = {
    type: 'stdio',
    address: null,
    variables: [],
    inputs,
    command: [short(program), ...clean.args],
    path,
    isLocal: true,
  }
  return { transport, packages: found === null || isBridge ? [] : [{ ...found, inputs }], bridged }
}
