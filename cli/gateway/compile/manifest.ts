/** What a folder of compiled files says about itself. */
import { Type, type Static } from '@sinclair/typebox'
import { oneOf, orNull } from '../../../src/kernel/shapes.ts'
import { isPathWithin } from '../../../src/gateway/agent/bundle.ts'
import { dialectNames } from '../../../src/gateway/dialects/index.ts'
import { effectiveModes, groupIds, type Policy, positiveChecks } from '../../../src/gateway-policy/door.ts'
import { filesDigest, sha256Of } from '../../../src/gateway/release/digest.ts'
import {
  idRanges,
  settingStates,
  type Compiled,
  type CompileInput,
  type ReleaseFile,
} from '../../../src/gateway/compile/model.ts'
import { longestLine } from '../../../src/gateway/compile/seclang.ts'

export const manifestName = 'release.json'

const hex = Type.String({ pattern: '^[0-9a-f]{64}$' })
/** The content of `release.json`. */
export const Manifest = Type.Object({
  format: Type.Literal(1),
  releaseId: Type.String(),
  engine: oneOf(dialectNames),
  policyVersion: Type.Integer(),
  environment: Type.String({ description: 'The slug of the environment.' }),
  digest: Type.String({ description: 'SHA-256 over the canonical JSON of `files`.' }),
  files: Type.Array(Type.Object({ path: Type.String(), sha256: hex })),
  settings: Type.Array(
    Type.Object({
      setting: Type.String({
        description: '"tier", "bot", "rate", "challenge", "group:ID", "rule:ID", "exception:ID", "positive:CHECK".',
      }),
      state: oneOf(settingStates),
      reason: orNull(Type.String()),
    }),
  ),
  off: Type.Array(Type.String(), { description: 'The settings that the policy switches off.' }),
  notEnforced: Type.Array(
    Type.Object({ pointer: Type.String(), check: oneOf(positiveChecks), reason: Type.String() }),
    { description: 'Parts of the document that the engine does not check.' },
  ),
  operations: Type.Integer(),
  bodies: Type.Integer({ description: 'How many bodies are checked against a schema.' }),
})
export type Manifest = Static<typeof Manifest>

/** The content of `release.json` in a folder that the agent of a gateway wrote: what it fetched, with the digests of the files on the disk. */
export const AgentManifest = Type.Object({
  format: Type.Literal(2),
  releaseId: Type.String(),
  number: Type.Integer(),
  engine: oneOf(dialectNames),
  policyVersion: Type.Integer(),
  organization: Type.Object({ id: Type.String(), slug: Type.String() }),
  environment: Type.Object({ id: Type.String(), slug: Type.String() }),
  enforcerId: Type.String(),
  createdAt: Type.String(),
  digest: Type.String({ ...hex, description: 'What was signed, before paths were made those of this machine.' }),
  files: Type.Array(Type.Object({ path: Type.String(), sha256: hex })),
})
export type AgentManifest = Static<typeof AgentManifest>

function offOf(policy: Policy): string[] {
  const modes = effectiveModes(policy)
  const bot = policy.presets.bot === 'off' ? ['bot'] : []
  return [...bot, ...groupIds.filter((id) => modes[id].mode === 'off').map((id) => `group:${id}`)]
}

/** The manifest of what was compiled, and of files that were added to it. */
export function manifestOf(input: CompileInput, compiled: Compiled, files: readonly ReleaseFile[]): Manifest {
  const listed = files.map(({ path, text }) => ({ path, sha256: sha256Of(text) }))
  return {
    format: 1,
    releaseId: input.releaseId,
    engine: input.dialect,
    policyVersion: input.policyVersion,
    environment: input.environment.slug,
    digest: filesDigest(listed),
    files: listed,
    settings: compiled.settings.map((it) => ({ ...it })),
    off: offOf(input.policy),
    notEnforced: compiled.notEnforced.map((it) => ({ ...it })),
    operations: compiled.operations,
    bodies: compiled.bodies,
  }
}

/** The files of ours that a configuration includes, in order; the rule set is not among them. */
function included(text: string): string[] {
  return [...text.matchAll(/^Include (\S+)$/gm)].map(([, path = '']) => path).filter((it) => /^[\w-]+\.conf$/.test(it))
}

function linesProblems(path: string, text: string): string[] {
  const long = text.split('\n').findIndex((line) => Buffer.byteLength(line) > longestLine)
  return long === -1
    ? []
    : [`${path}:${long + 1}: the line is longer than ${longestLine} bytes; Coraza would ignore the rest of the file`]
}

/** The numbers of the rules by which an agent asks the gateway which release it uses. */
const probeIds: readonly number[] = [9998, 9999]

function idProblems(files: ReadonlyMap<string, string>, isOfAgent: boolean): string[] {
  const seen = new Map<number, string>()
  const found: string[] = []
  const ranges = Object.values(idRanges)
  for (const [path, text] of files) {
    if (!path.endsWith('.conf') || path.includes('/')) continue
    for (const [, number] of text.matchAll(/^ *Sec(?:Rule|Action)\b.*?"id:(\d+)/gm)) {
      const id = Number(number)
      const before = seen.get(id)
      if (before !== undefined) found.push(`${path}: the rule ${id} is in ${before} already`)
      seen.set(id, path)
      if (!ranges.some(([from, to]) => id >= from && id <= to) && !(isOfAgent && probeIds.includes(id)))
        found.push(`${path}: the number ${id} of a rule is not one of the numbers that svc uses`)
    }
  }
  return found
}

/**
 * What is wrong with the files of a release.
 * @param files by their paths, without the manifest itself
 * @returns sentences, each with the file that it is about; empty for a release that is as it was written
 */
export function releaseProblems(manifest: Manifest | AgentManifest, files: ReadonlyMap<string, string>): string[] {
  const found: string[] = []
  const listed = new Set(manifest.files.map(({ path }) => path))
  for (const { path, sha256: digest } of manifest.files) {
    const text = files.get(path)
    if (!isPathWithin(path)) found.push(`${path}: the path leaves the folder`)
    else if (text === undefined) found.push(`${path}: the file is missing`)
    else if (sha256Of(text) !== digest) found.push(`${path}: the file was changed after it was written`)
  }
  for (const path of files.keys()) if (!listed.has(path)) found.push(`${path}: the file does not belong to the release`)
  // The agent makes paths of schemas absolute, and adds files of its own: what was signed has another digest.
  const isOfAgent = 'enforcerId' in manifest
  if (!isOfAgent && filesDigest(manifest.files) !== manifest.digest)
    found.push(`${manifestName}: the digest is not that of its files`)
  const entry = files.get('svc.conf')
  if (entry === undefined) found.push('svc.conf: the file is missing')
  for (const path of included(entry ?? ''))
    if (!files.has(path)) found.push(`svc.conf: it includes ${path}, which is missing`)
  for (const [path, text] of files) if (path.endsWith('.conf')) found.push(...linesProblems(path, text))
  return [...new Set([...found, ...idProblems(files, isOfAgent)])]
}
