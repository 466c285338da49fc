import { isObject, type Json } from '../kernel/json.ts'
import { declare, type Draft } from './declare.ts'
import { isBundle, readBundle } from './formats/bundle.ts'
import { readClientConfiguration, serversOf } from './formats/client-configuration.ts'
import { isDocker, readDocker } from './formats/docker.ts'
import { isServerCard, readServerCard } from './formats/server-card.ts'
import { isBareServer, isServerJson, readServerJson } from './formats/server-json.ts'
import { isToolList, readToolList } from './formats/tool-list.ts'
import { parseManifest, Reading } from './reading.ts'
import type { Manifest, ManifestOptions } from './types.ts'

const otherKinds: Readonly<Record<string, string>> = {
  openapi: 'an OpenAPI document',
  swagger: 'a Swagger document',
  arazzo: 'an Arazzo document',
  asyncapi: 'an AsyncAPI document',
}

function whatElse(value: Json): string {
  const kind = isObject(value) ? Object.keys(otherKinds).find((key) => value[key] !== undefined) : undefined
  return kind === undefined ? 'it has no format that is known' : `it is ${otherKinds[kind]}; "svc import" imports it`
}

const isServerList = (value: Json): boolean =>
  Array.isArray(value) && value.length > 0 && (value as readonly Json[]).every(isServerJson)

/** Finds the format by the content, and reads it. */
function draftOf(reading: Reading, { tools = null }: ManifestOptions): Draft {
  const { value } = reading.document
  const configuration = serversOf(value)
  if (configuration !== null) return readClientConfiguration(reading, configuration)
  if (isServerList(value) || (isObject(value) && Array.isArray(value.servers))) return readServerJson(reading, value)
  if (isBundle(value)) return readBundle(reading, value)
  if (isDocker(value)) return readDocker(reading, value, tools)
  if (isServerCard(value)) return readServerCard(reading, value)
  if (isServerJson(value)) return readServerJson(reading, value)
  if (isToolList(value)) return readToolList(reading, value)
  if (isBareServer(value)) return readServerJson(reading, value)
  return reading.fail([], whatElse(value))
}

/**
 * Reads a manifest of MCP servers, whatever format it is of: server.json of any published version, answers to
 * `tools/list`, `server.yaml` of Docker, the manifest of a bundle, configurations of agent hosts, server cards. No secret of it is
 * returned; notices name what was dropped.
 *
 * @param text JSON, or YAML for Docker
 * @param options what the request says beside it
 * @returns at least one server, each with its surface and fingerprints where the manifest declares any
 * @throws SvcError `manifest-invalid`, `manifest-no-transport`, `transport-unknown`, `endpoint-address-invalid`, each with JSON Pointer,
 * line and column
 */
export function readManifest(text: string, options: ManifestOptions = {}): Manifest {
  const document = parseManifest(text, options.source ?? 'manifest')
  const reading = new Reading(document)
  const draft = draftOf(reading, options)
  const servers = declare(draft, reading, options)
  const notices = reading.notices.toSorted((a, b) => a.line - b.line || a.column - b.column)
  return { format: draft.format, schemaVersion: draft.schemaVersion, servers, notices }
}
