/** Sentences of a specification and the tests that prove them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Proof {
  /** Section of the specification, or "decisions" for what it leaves open, or "attack". */
  readonly of: string
  /** In our words. */
  readonly says: string
  /** File below test/ and (a part of) the title of the test; at least one. */
  readonly by: readonly [Reference, ...Reference[]]
}
type Reference = readonly [file: string, title: string]

/** The references that lead nowhere. */
export const missingProofs = (proofs: readonly Proof[]): string[] =>
  proofs.flatMap(({ of, says, by }) =>
    by
      .filter(([file, title]) => !readFileSync(join(import.meta.dir, file), 'utf8').includes(title))
      .map(([file, title]) => `${of} ${says}: ${file} › ${title}`),
  )
