/** Longer than 400 lines: the comparison of a pair is one class whose steps share what is known of its parts. */
import { isObject } from '../../kernel/json.ts'
import type { Json } from '../../kernel/json.ts'
import { notCompared } from '../../schema/effort.ts'
import { compareDocs } from '../docs.ts'
import type { Fact } from '../fact.ts'
import { writtenPath } from '../link.ts'
import type { Profile } from '../profile.ts'
import { settle } from '../profile.ts'
import type { Sameness } from '../sameness.ts'
import type { Topic } from '../rules.ts'
import type { SchemaPair, Statement } from './pair.ts'
import { reachesAlarm, SchemaEntry } from './entry.ts'
import { compareChoice } from './choice.ts'
import { compareConventions } from './conventions.ts'
import { compareObjects } from './objects.ts'
import { Proofs } from './proofs.ts'
import { stepTo } from './steps.ts'
import { Subjects } from './subjects.ts'
import type { Step } from './steps.ts'
import { compareUnions } from './unions.ts'
import { compareWords } from './keywords.ts'
import { acceptsNothing, safe } from './judgement.ts'
import { branchUse, innerUse, isParameter, propertyUse } from './use.ts'
import type { Judgement } from './judgement.ts'
import type { Schemas } from './schemas.ts'
import type { Use } from './use.ts'
import { pointerOf } from '../side.ts'
import type { PlacedValue, Side } from '../side.ts'
import { isStructural, isTransparent } from '../structural.ts'
import { sizeOf, viewOf } from '../view.ts'

/** The judgement of a whole pair, made when it is first read. */
class Whole {
  /** Null as long as no one asked. */
  judged: Judgement | null = null
  private readonly make: () => Judgement

  constructor(make: () => Judgement) {
    this.make = make
  }

  settle(judgement: Judgement): void {
    this.judged = judgement
  }

  judge(): Judgement {
    this.judged ??= this.make()
    return this.judged
  }

  /** Whether it is known to be safe, so that no part of it can break. */
  get hides(): boolean {
    return this.judged !== null && this.judged.verdict === 'safe' && this.judged.vacuous !== true
  }
}

// As deep as schemas are compared within each other over references: the stack ends a little above twice of it.
const mostDepth = 1000
const tooDeep = 'schemas refer to each other over more than 1,000 levels'

/**
 * Compares schemas pair by pair. Containment of the whole decides; the statements of the parts say why. Where the whole is
 * contained, nothing below can be breaking; where it is not and no part explains it, the pair itself is the change.
 */
export class SchemaComparer {
  /** The entries of pairs by what was asked; null where nothing differs. */
  private readonly entries = new Map<string, SchemaEntry | null>()
  /** Pairs whose whole breaks or is undecided while nothing explains it yet. */
  private readonly waiting: { readonly entry: SchemaEntry; readonly explain: () => void }[] = []
  /** The entries of whole messages. */
  private readonly roots = new Set<SchemaEntry>()
  private depth = 0
  /** What was left uncompared, by direction and reason. */
  private readonly left = new Map<string, SchemaEntry>()
  readonly schemas: Schemas
  private readonly subjects: Subjects
  private readonly base: Side
  private readonly head: Side
  private readonly sameness: Sameness
  private readonly profile: Profile

  constructor(base: Side, head: Side, sameness: Sameness, schemas: Schemas, profile: Profile) {
    this.base = base
    this.head = head
    this.sameness = sameness
    this.schemas = schemas
    this.profile = profile
    this.subjects = new Subjects(base, head)
  }

  /**
   * The entry of a pair of schemas; null where nothing differs. `masked`: a wider comparison has proven it safe; `unsent`:
   * the property that they describe is not sent in this direction.
   */
  compare(
    base: readonly PlacedValue[],
    head: readonly PlacedValue[],
    use: Use,
    masked = false,
    unsent = false,
  ): SchemaEntry | null {
    const a = base.map((place) => this.follow(this.base, place))
    const b = head.map((place) => this.follow(this.head, place))
    if (areShared(a, b) && this.isSame(a, b)) return null
    const isRoot = this.depth === 0
    const key = [
      use.direction,
      use.fromClient,
      use.textual,
      use.inBody,
      use.parts && JSON.stringify([...use.parts]),
      use.text?.base,
      use.text?.head,
      use.always,
      use.xml,
      use.selected && `${use.selected.property} ${JSON.stringify(use.selected.values)}`,
      use.whole && [...use.whole.base, ...use.whole.head].map((it) => pointerOf(it.path)).join(' '),
      masked,
      unsent,
      ...a.map((it) => pointerOf(it.path)),
      '→',
      ...b.map((it) => pointerOf(it.path)),
    ].join(' ')
    const known = this.entries.get(key)
    if (known !== undefined) {
      if (isRoot && known !== null) this.addRoot(known)
      return known
    }
    if (this.isSame(a, b)) {
      this.entries.set(key, null)
      return null
    }
    const isTooDeep = this.depth >= mostDepth
    if (isTooDeep || !this.schemas.effort.walk(a.length + b.length)) {
      const left = this.leave(a, b, use, isTooDeep ? tooDeep : notCompared)
      this.entries.set(key, left)
      return left
    }
    const entry = new SchemaEntry()
    entry.compared = { base: a, head: b, use, isRoot }
    if (isRoot) this.addRoot(entry)
    this.entries.set(key, entry)
    this.depth++
    const views = { base: viewOf(this.base, a), head: viewOf(this.head, b) }
    this.subjects.enter({ base, head }, { base: views.base.places, head: views.head.places })
    this.work(entry, views, use, masked, unsent)
    this.subjects.leave()
    this.depth--
    entry.done = true
    if (this.depth === 0) for (const it of this.waiting.splice(0)) if (!reachesAlarm(it.entry)) it.explain()
    return entry
  }

  private addRoot(entry: SchemaEntry): void {
    if (entry.compared) entry.compared.isRoot = true
    this.roots.add(entry)
  }

  /**
   * Ends the comparison: what breaks in a part is proven by a whole message, or breaks no one. Where nothing explains any more
   * why a whole breaks, the whole is the change.
   */
  settle(): void {
    new Proofs(this.schemas).settle(this.roots, (root) => {
      const { base, head, use } = root.compared!
      this.push(root, changed(base, head), use, this.schemas.judge(base, head, use))
    })
  }

  /** Whether two lists of places are written the same and mean the same. */
  private isSame(a: readonly PlacedValue[], b: readonly PlacedValue[]): boolean {
    return a.length === b.length && a.every((place, i) => this.sameness.sameSchema(place, b[i]!))
  }

  /** The entry of everything that is not compared for one reason: undecided, at the first place of it. */
  private leave(base: readonly PlacedValue[], head: readonly PlacedValue[], use: Use, reason: string): SchemaEntry {
    const key = `${use.direction} ${use.fromClient} ${reason}`
    const known = this.left.get(key)
    if (known) return known
    const entry = new SchemaEntry()
    entry.done = true
    this.push(entry, changed(base, head), use, { verdict: 'unknown', witness: null, reason })
    this.left.set(key, entry)
    return entry
  }

  private readonly wrapped = new WeakMap<object, Json>()

  /** Follows references as long as they are mere names: one with siblings that count is a schema of two parts. */
  private follow(side: Side, place: PlacedValue): PlacedValue {
    const modern = side.dialect === '2020-12' || side.dialect === '2019-09'
    let at = place
    for (let steps = 0; steps < 50 && isObject(at.value) && typeof at.value.$ref === 'string'; steps++) {
      const { value } = at
      if (modern && Object.keys(value).some((key) => key !== '$ref' && key !== 'description' && key !== 'summary')) {
        const known: Json = this.wrapped.get(value) ?? { allOf: [value] }
        this.wrapped.set(value, known)
        return { value: known, path: at.path }
      }
      const next = side.find(at.value.$ref)
      if (!next) return at
      at = next
    }
    return at
  }

  private work(
    entry: SchemaEntry,
    views: Pick<SchemaPair, 'base' | 'head'>,
    use: Use,
    masked: boolean,
    unsent: boolean,
  ): void {
    const { base, head } = entry.compared!
    const equal = this.schemas.equal(base, head, use.direction)
    const whole = new Whole(() => this.schemas.judgeWhole(base, head, use))
    if (masked || equal) whole.settle(safe)
    let identical: boolean | null = equal ? true : null
    const pair: SchemaPair = {
      ...views,
      use,
      profile: this.profile,
      schemas: this.schemas,
      sides: { base: this.base, head: this.head },
      identical: () => {
        identical ??=
          (whole.judged === null || whole.judged.verdict === 'safe') &&
          this.schemas.identical(base, head, use.direction)
        return identical
      },
      isSame: (a, b) => areShared(a, b) && this.isSame(a, b),
      subject: (path, inHead) => this.subjects.of(path, inHead ? 'head' : 'base'),
      state: (statement) => this.state(entry, unsent ? { ...statement, unsent } : statement, use, whole, base, head),
      below: (a, b, ignored = false) => {
        const step = stepTo((b[0] ?? a[0])!.path, pair.base, pair.head)
        const inner = step.to === 'property' ? propertyUse(use, step.name) : innerUse(use)
        this.below(entry, step, this.compare(a, b, inner, whole.hides || ignored, ignored))
      },
      branch: (a, b, selected) =>
        this.below(
          entry,
          { to: 'same' },
          selected
            ? this.compare(a, b, selectedUse(use, selected), whole.hides)
            : this.compareBranch(a, b, pair, whole),
        ),
      beside: (a, b, selected) =>
        this.below(entry, { to: 'heir' }, this.compare(a, b, selectedUse(use, selected), unsent, unsent)),
    }
    this.schemas.effort.walk((sizeOf(pair.base) + sizeOf(pair.head)) / 10)
    const isByParts =
      whole.judged === null && !this.schemas.options.strict && use.selected === undefined && isStructural(pair)
    if (!isByParts) whole.judge()
    this.tell(pair, equal)
    // The parts decide for the whole where they are safe. Where one is not, the whole may still allow the same.
    if (isByParts && entry.isSure && this.isMadeUpFor(pair)) {
      whole.settle(safe)
      entry.clear()
      this.tell(pair, equal)
    }
    if (whole.judged === null || whole.judged.verdict === 'safe' || entry.alarming) return
    const { judged } = whole
    const itself = changed(base, head)
    const subject = this.subjects.of(itself.head ?? itself.base ?? [], itself.head ? 'head' : 'base')
    const explain = (): void => this.push(entry, { ...itself, subject }, use, judged)
    // In a cycle, what is still being compared may explain it: that is known when all of it is done.
    if (entry.waits) this.waiting.push({ entry, explain })
    else explain()
  }

  /**
   * The entry of two branches of a choice. Where they break alone, another branch may accept what one refuses: unless their
   * counterexamples show that it does not, they are compared once more, by the values that break the choice.
   */
  private compareBranch(
    base: readonly PlacedValue[],
    head: readonly PlacedValue[],
    pair: SchemaPair,
    whole: Whole,
  ): SchemaEntry | null {
    const { use, schemas } = pair
    const alone = this.compare(base, head, branchUse(use), whole.hides)
    if (!alone?.isSure || !alone.done || whole.hides || schemas.effort.isExhausted) return alone
    const choice = use.whole ?? { base: pair.base.places, head: pair.head.places }
    const shown = alone.facts.flatMap((it) => (it.witness && it.verdict === 'breaking' ? [it.witness.value] : []))
    const isShown = shown.every((it) => schemas.witnessBy(choice.base, choice.head, innerUse(use), it) !== null)
    if (isShown && (shown.length > 0 || (use.whole === undefined && isTransparent(pair)))) return alone
    if (whole.judged === null && schemas.isUnderstood(pair.base.places, pair.head.places, use)) whole.settle(safe)
    return this.compare(base, head, { ...use, whole: choice }, whole.hides)
  }

  /** Whether something beside the parts of a pair makes up for one that breaks. */
  private isMadeUpFor(pair: SchemaPair): boolean {
    if (pair.use.whole === undefined && isTransparent(pair)) return false
    return this.schemas.isUnderstood(pair.base.places, pair.head.places, pair.use)
  }

  /** States everything in which a pair differs. */
  private tell(pair: SchemaPair, equal: boolean): void {
    compareDocs(pair)
    if (!compareChoice(pair)) {
      compareWords(pair, equal)
      compareObjects(pair)
      compareUnions(pair)
    }
    compareConventions(pair)
  }

  private below(entry: SchemaEntry, step: Step, child: SchemaEntry | null): void {
    if (!child) return
    entry.children.push({ entry: child, step })
    if (child.alarming) entry.alarming = true
    if (!child.done || child.waits) entry.waits = true
    if (child.isSure) entry.isSure = true
  }

  private state(
    entry: SchemaEntry,
    statement: Statement,
    use: Use,
    whole: Whole,
    base: readonly PlacedValue[],
    head: readonly PlacedValue[],
  ): void {
    const { judge, docs, always, policy, ...rest } = statement
    if (docs) {
      this.push(entry, rest, use, { verdict: 'docs', witness: null, reason: null })
      return
    }
    const alone = (whole.hides && !always) || !judge ? safe : judge()
    // What holds whatever the values are is not a matter of the whole.
    const judgement = always ? alone : this.within(alone, use, whole, base, head)
    const stance = policy ? this.profile.stances[policy] : 'judge'
    const verdict = settle(judgement.verdict, stance)
    if (verdict === 'safe' && stance === 'safe' && judgement.verdict !== 'safe') entry.alarming = true
    if (verdict === judgement.verdict) this.push(entry, rest, use, judgement)
    else this.push(entry, { ...rest, policy: policy! }, use, { verdict, witness: null, reason: `policy ${policy}` })
  }

  /**
   * What a part that breaks alone means within the whole: breaking where a value of the sender is refused because of it, and
   * the validator confirms that for both wholes; safe where the sender has no such value. Else the whole decides.
   */
  private within(
    alone: Judgement,
    use: Use,
    whole: Whole,
    base: readonly PlacedValue[],
    head: readonly PlacedValue[],
  ): Judgement {
    if (alone.verdict === 'safe') return alone
    if (alone.verdict === 'breaking') {
      if (!alone.refusing) return alone
      const placed = this.schemas.placed(base, head, use, alone.refusing, alone.sent)
      if (placed === 'never') return safe
      if (placed === 'unshown') return { verdict: 'breaking', witness: null, reason: alone.reason }
      if (placed !== null) return { verdict: 'breaking', witness: placed, reason: alone.reason }
    }
    const { verdict, witness, reason, vacuous } = whole.judge()
    // Of a schema without any value nothing can be shown, and yet clients can rely on its parts.
    if (vacuous) return { verdict: 'unknown', witness: null, reason: acceptsNothing }
    if (verdict === 'safe') return safe
    return { verdict, witness, reason: verdict === 'unknown' ? (alone.reason ?? reason) : alone.reason }
  }

  private push(
    entry: SchemaEntry,
    rest: Omit<Statement, 'judge' | 'docs' | 'always' | 'policy'> & { readonly policy?: string },
    use: Use,
    { verdict, witness, reason }: Pick<Fact, 'verdict' | 'witness' | 'reason'>,
  ): void {
    if (verdict === 'breaking' || verdict === 'unknown') entry.alarming = entry.isSure = true
    const { subject, ...others } = rest
    const place = rest.head ?? rest.base ?? []
    const docs = verdict === 'docs'
    entry.facts.push({
      ...others,
      ...topicOf(rest, docs),
      base: rest.base && writtenPath(rest.base),
      head: rest.head && writtenPath(rest.head),
      before: this.base.asWritten(rest.before),
      after: this.head.asWritten(rest.after),
      direction: docs ? null : use.direction,
      ...(isParameter(use) ? { textual: true } : {}),
      subject: subject ?? this.subjects.of(place, rest.head ? 'head' : 'base'),
      verdict,
      witness,
      reason,
    })
  }
}

/** Whether two lists of places hold what the documents share: whether they mean the same is then known without a search. */
const areShared = (a: readonly PlacedValue[], b: readonly PlacedValue[]): boolean =>
  a.length === b.length && a.every((place, i) => place.value === b[i]!.value)

/** The use of a schema that a discriminator leads to. */
const selectedUse = (use: Use, selected: Use['selected'] | null): Use =>
  selected ? { ...branchUse(use), selected } : branchUse(use)

// What is text for readers is a change of the document.
const topicOf = ({ kind, action }: Pick<Statement, 'kind' | 'action'>, docs: boolean): Topic =>
  ({ area: docs ? 'document' : 'schema', kind, action }) as Topic

/** The change of a pair as a whole. */
const changed = (base: readonly PlacedValue[], head: readonly PlacedValue[]) =>
  ({
    kind: 'itself',
    action: 'changed',
    base: base[0]?.path ?? null,
    head: head[0]?.path ?? null,
    before: plain(base),
    after: plain(head),
  }) as const

const plain = (places: readonly PlacedValue[]): Json =>
  places.length === 1 ? places[0]!.value : places.map((place) => place.value)
