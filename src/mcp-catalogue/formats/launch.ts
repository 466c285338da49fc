import { type Json, type JsonObject, type Path } from '../../kernel/json.ts'
import { withoutUrlSecrets } from '../command.ts'
import { manifestLimits, type Reading } from '../reading.ts'
import { looksSecret, secretName } from '../secrets.ts'
import type { DeclaredInput, LaunchArgument, PackageLaunch, Transport } from '../types.ts'

/** A value that may be stored: not of a secret, and without keys in addresses. */
const publicValue = (value: string | null, isSecret: boolean): string | null =>
  value === null || isSecret || looksSecret(value) ? null : withoutUrlSecrets(value)

/** The variables of an address or an argument, by their names; values of them are not kept. */
export function readVariables(reading: Reading, value: Json | undefined, path: Path): DeclaredInput[] {
  if (value === undefined || value === null) return []
  return Object.entries(reading.object(value, path, '"variables"')).map(([name, it]) => {
    const at = [...path, name]
    const input = reading.object(it, at, 'a variable')
    const choices = reading.list(input, ['choices'], at).flatMap(([one]) => (typeof one === 'string' ? [one] : []))
    return {
      name: name.slice(0, manifestLimits.name),
      in: 'variable',
      description: reading.text(input, ['description'], at, manifestLimits.text),
      isRequired: input.isRequired === true || input.is_required === true,
      isSecret: input.isSecret === true || input.is_secret === true || secretName(name),
      ...(choices.length === 0 ? {} : { choices }),
    }
  })
}

function readArgument(reading: Reading, value: Json, path: Path): LaunchArgument {
  const it = reading.object(value, path, 'an argument')
  const name = reading.text(it, ['name'], path, manifestLimits.text)
  const text = (keys: readonly string[]): string | null => reading.text(it, keys, path, manifestLimits.text)
  const isSecret = it.isSecret === true || it.is_secret === true || (name !== null && secretName(name))
  return {
    type: it.type === 'named' ? 'named' : 'positional',
    name,
    valueHint: text(['valueHint', 'value_hint']),
    description: text(['description']),
    value: publicValue(text(['value']), isSecret),
    default: publicValue(text(['default']), isSecret),
    isRequired: it.isRequired === true || it.is_required === true,
    isRepeated: it.isRepeated === true || it.is_repeated === true,
    isSecret,
    variables: readVariables(reading, it.variables, [...path, 'variables']),
  }
}

/**
 * How a package is started, as server.json says it; without the values of secrets.
 * @throws SvcError `manifest-invalid`
 */
export function readLaunch(
  reading: Reading,
  jsonObject: JsonObject,
  path: Path,
  transport: { readonly type: Transport; readonly address: string | null },
): PackageLaunch {
  const all = (keys: readonly string[]): LaunchArgument[] =>
    reading.list(jsonObject, keys, path).map(([one, at]) => readArgument(reading, one, at))
  return {
    runtimeHint: reading.text(jsonObject, ['runtimeHint', 'runtime_hint'], path),
    runtimeArguments: all(['runtimeArguments', 'runtime_arguments']),
    packageArguments: all(['packageArguments', 'package_arguments']),
    transport,
    fileSha256: reading.text(jsonObject, ['fileSha256', 'file_sha256'], path),
  }
}
