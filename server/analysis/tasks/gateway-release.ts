import { canonicalJson } from '../../../src/kernel/canonical.ts'
import { isObject, type Json } from '../../../src/kernel/json.ts'
import { compileRelease } from '../../../src/gateway/compile/index.ts'
import type { DialectName } from '../../../src/gateway/dialects/index.ts'
import type { CompileInput, Compiled, Setting } from '../../../src/gateway/compile/model.ts'
import { differencesOfFiles } from '../../../src/gateway/release/difference.ts'
import { filesDigest, sha256Of } from '../../../src/gateway/release/digest.ts'
import { packContent, packMade, type Content, type MadeTarget } from '../../../src/gateway/release/content.ts'
import type { Desk } from '../desk.ts'
import type { Material } from '../subject.ts'

interface Before {
  readonly engine: DialectName
  readonly digest: string
  /** What its files name. */
  readonly releaseId: string
  readonly policyVersion: number
  /** What each setting came to, where a release is made for another state of one too; null: for other files alone. */
  readonly settings: readonly Setting[] | null
}

/** Large documents have thousands of parts that an engine does not check, most of them alike. */
const keptNotEnforced = 1000
const encoder = new TextEncoder()

const textOf = ({ text, bytesOf }: Material): string => new TextDecoder().decode(bytesOf(text))

function targetOf(engine: DialectName, { files, settings, notEnforced, operations, bodies }: Compiled): MadeTarget {
  const digested = files.map(({ path, text }) => ({
    path,
    sha256: sha256Of(text),
    bytes: encoder.encode(text).byteLength,
  }))
  const digest = filesDigest(digested)
  const kept = notEnforced.slice(0, keptNotEnforced)
  return {
    engine,
    digest,
    files: digested,
    settings,
    notEnforced: kept,
    notEnforcedCount: notEnforced.length,
    operations,
    bodies,
  }
}

const isSameSettings = (a: readonly Setting[], b: readonly Setting[]): boolean =>
  canonicalJson(a as unknown as Json) === canonicalJson(b as unknown as Json)

/**
 * Compiles a policy for some engines. Files name their release, so that whether anything is new is found by compiling it once more
 * under the names of the release before.
 * @param input `hasDocument`: the first text is the document that the policy is bound to. `isForced`: a release is made in any case. The others are the contents of the release
 *   before, in the order of `before`
 * @returns `packMade`; nothing is made where every engine has its files already
 */
export function run(
  input: {
    readonly compile: Omit<CompileInput, 'document' | 'dialect' | 'crs'>
    readonly engines: readonly DialectName[]
    readonly hasDocument: boolean
    readonly isForced: boolean
    readonly before: readonly Before[]
  },
  { engine: reader, materials }: Desk,
): Uint8Array {
  const { engines, hasDocument, isForced, before } = input
  const [first] = materials
  const value = hasDocument && first !== undefined ? reader.trusted(first).value : null
  const document = isObject(value) ? value : null
  const compile = (dialect: DialectName, names: Pick<CompileInput, 'releaseId' | 'policyVersion'>) =>
    compileRelease({ ...input.compile, ...names, document, dialect, crs: 'bundled' })
  const isOld = engines.every((engine) => {
    const old = before.find((it) => it.engine === engine)
    if (old === undefined) return false
    const { digest, settings } = targetOf(engine, compile(engine, old))
    return digest === old.digest && (old.settings === null || isSameSettings(settings, old.settings))
  })
  if (isOld && !isForced) return packMade(null, [])
  const olds = materials.slice(hasDocument ? 1 : 0).map((it) => JSON.parse(textOf(it)) as Content)
  const made = engines.map((engine) => {
    const compiled = compile(engine, input.compile)
    const old = olds[before.findIndex((it) => it.engine === engine)]
    return { engine, compiled, differences: differencesOfFiles(engine, old?.files ?? [], compiled.files) }
  })
  return packMade(
    {
      targets: made.map(({ engine, compiled }) => targetOf(engine, compiled)),
      differences: made.flatMap((it) => it.differences),
    },
    made.map(({ compiled }) => packContent(compiled)),
  )
}
