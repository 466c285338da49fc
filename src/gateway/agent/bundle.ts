/** Reads and verifies a release as the service sends it: nothing of it is used before its signature and every digest are verified. */
import { Type, type Static } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { isSignedBy, readPublicKey } from '../../host/signature.ts'
import { canonicalJson } from '../../kernel/canonical.ts'
import { filesDigest, sha256Of } from '../release/digest.ts'

const hex = Type.String({ pattern: '^[0-9a-f]{64}$' })
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })

export const Bundle = Type.Object({
  format: Type.Literal(2),
  organization: Type.Object({ id: text(100), slug: text(200) }),
  environment: Type.Object({ id: text(100), slug: text(200) }),
  enforcerId: text(100),
  /** The gateway that it is for: see `recipientOf`. */
  recipient: hex,
  releaseId: text(100),
  /** Counts the releases of the environment: a rollback is a release of its own, with a number of its own. */
  number: Type.Integer({ minimum: 1 }),
  policyVersion: Type.Integer({ minimum: 0 }),
  engine: text(50),
  createdAt: text(50),
  digest: hex,
  files: Type.Array(Type.Object({ path: text(300), sha256: hex, text: Type.String() }), {
    minItems: 1,
    maxItems: 10_000,
  }),
  routes: Type.Array(Type.Object({ method: text(32), route: text(2000), pattern: text(20_000) }), { maxItems: 20_000 }),
  evidence: Type.Union([Type.Literal('digest'), Type.Literal('shape')]),
  evidenceKey: text(100),
  keyId: text(200),
  signature: text(200),
})
export type Bundle = Static<typeof Bundle>
const checker = TypeCompiler.Compile(Bundle)

/** The files of a release have as many characters at most. */
const mostCharacters = 128 * 1024 * 1024

/** Whether a path stays below the folder of the release, on every system. */
export const isPathWithin = (path: string): boolean =>
  /^[A-Za-z0-9_][\w.-]*(?:\/[A-Za-z0-9_][\w.-]*)*$/.test(path) && path.length <= 300

/** Releases of format 1 do not name their gateway. */
const isOlderFormat = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'format' in value && value.format === 1

/**
 * What is wrong with the files of a release; null: nothing.
 * @param most how many characters all of them may have
 */
export function filesProblem({ files, digest }: Bundle, most = mostCharacters): string | null {
  const paths = new Set<string>()
  let characters = 0
  for (const file of files) {
    characters += file.text.length
    if (!isPathWithin(file.path))
      return `the path ${JSON.stringify(file.path.slice(0, 100))} leaves the folder of the release`
    if (paths.has(file.path.toLowerCase())) return `the path "${file.path}" is in it twice`
    paths.add(file.path.toLowerCase())
    if (characters > most) return `its files have more than ${most} characters`
    if (sha256Of(file.text) !== file.sha256) return `the SHA-256 of "${file.path}" is not the one that it names`
  }
  const folders = [...paths].flatMap((path) =>
    path
      .split('/')
      .slice(0, -1)
      .map((_, index, all) => all.slice(0, index + 1).join('/')),
  )
  const clash = folders.find((it) => paths.has(it))
  if (clash !== undefined) return `"${clash}" is a file and a folder`
  if (!paths.has('svc.conf')) return 'it has no file "svc.conf"'
  return filesDigest(files) === digest ? null : 'the digest of its files is not the one that it names'
}

/** The last release that a gateway took: the next one of the same environment has a higher number. */
export interface Taken {
  readonly environmentId: string
  readonly number: number
  readonly releaseId: string
}

/** Why a genuine release is not for this gateway, or not for it any more; null: it is. */
export function misdirected(bundle: Bundle, recipient: string, taken: Taken | null): string | null {
  const { environment, organization, number, releaseId } = bundle
  if (bundle.recipient !== recipient)
    return `it is for another gateway, in environment "${environment.slug}" of organization "${organization.slug}"`
  if (taken === null || taken.environmentId !== environment.id) return null
  const isKnown = number === taken.number && releaseId === taken.releaseId
  return number > taken.number || isKnown
    ? null
    : `it is release ${number}, and this gateway already took release ${taken.number}. After a restore of the service from a backup, start the agent once with --accept-older`
}

/**
 * Verifies that a release is genuine and whole.
 * @param publicKey the pinned key: 32 bytes in base64
 * @returns the bundle, or a sentence that says why it is not used
 */
export function readBundle(value: unknown, publicKey: string): Bundle | string {
  if (isOlderFormat(value)) return 'the service is older than this agent; upgrade the service first'
  if (!checker.Check(value)) {
    const [problem] = checker.Errors(value)
    return `it is not a release: "${problem?.path ?? ''}" ${problem?.message ?? 'has an unknown shape'}`
  }
  const key = readPublicKey(publicKey)
  if (key === null) return 'the public key is not 32 bytes in base64'
  const { signature, ...signed } = value
  if (!isSignedBy(key, canonicalJson(signed), signature)) return 'its signature is not by the pinned public key'
  return filesProblem(value) ?? value
}
