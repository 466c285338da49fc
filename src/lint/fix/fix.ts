import type { Document } from '../../document/document.ts'
import type { Json, Path } from '../../kernel/json.ts'
import type { Edit } from '../../kernel/edits.ts'

/** The fix of a finding. */
export interface Fix {
  /** One sentence in the imperative: what it does. */
  readonly description: string
  readonly edits: Edit[]
  /** What clients can see of it, for which a user has to ask; absent where they see nothing. */
  readonly visible?: VisibleFix
}

/** Fixes that clients can see and that break none of them: what is not used goes, or something is added. */
export type VisibleFix = 'removals' | 'non-breaking'

/** A fix that takes one of several entries out of a container, which must not be left empty by others of its kind. */
export interface Removal extends Fix {
  readonly from: { readonly pointer: string; readonly entries: number }
}

export const isRemoval = (fix: Fix): fix is Removal => 'from' in fix

/** Where a rule found something. */
export interface FixContext {
  readonly document: Document
  readonly path: Path
  /** The value there; undefined if there is none. */
  readonly value: Json | undefined
  /** What is wrong, as the function of the rule calls it; null where it reports one thing only. */
  readonly kind: string | null
  /** The name that the function suggests or misses; null for none. */
  readonly name: string | null
}

/** How a rule fixes its finding; null if it cannot, or if a person must decide. */
export interface Fixer {
  (place: FixContext): Fix | null
  /** What clients can see of every fix that it makes. */
  readonly visible?: VisibleFix
  /** The places that the rule finds next once some of its findings are fixed, and once those are fixed too, and so on. */
  readonly orphans?: (root: Json, removed: readonly Path[]) => readonly Path[]
}

/** The options of `svc lint` with which fixes of a rule are applied. */
export const fixOption = ({ visible }: Pick<Fixer, 'visible'>): string =>
  visible === undefined ? '--fix' : `--fix --fix-${visible}`
