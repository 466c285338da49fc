import { isObject, type Json, type JsonObject } from '../../src/kernel/json.ts'
import { withLaterOperations } from '../../src/import/convert/openapi-32.ts'
import { operationsIn } from '../../src/kernel/methods.ts'

const objects = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

// Every address of a server: each value of a variable that lists its values, its default else.
function expand({ url, variables }: JsonObject): string[] {
  if (typeof url !== 'string') return []
  let addresses = [url]
  for (const [name, variable] of Object.entries(isObject(variables) ? variables : {})) {
    if (!isObject(variable)) continue
    const listed = Array.isArray(variable.enum) ? variable.enum : []
    const values = [variable.default, ...listed].filter((one): one is string => typeof one === 'string')
    addresses = addresses.flatMap((address) =>
      [...new Set(values)].slice(0, 10).map((value) => address.replaceAll(`{${name}}`, value)),
    )
    if (addresses.length > 100) break
  }
  return addresses
}

/** The addresses of all servers of an OpenAPI document, those of the document first, then of paths and operations. */
export function serverAddresses(openapi: JsonObject): string[] {
  const found = objects(openapi.servers).flatMap(expand)
  for (const item of Object.values(isObject(openapi.paths) ? openapi.paths : {})) {
    if (!isObject(item)) continue
    found.push(...objects(item.servers).flatMap(expand))
    for (const { operation } of operationsIn(withLaterOperations(item)))
      found.push(...objects(operation.servers).flatMap(expand))
  }
  return [...new Set(found)]
}
