/** What an editor offers for findings: their fixes, and suppressing them. */
import { CodeActionKind, type CodeAction, type CodeActionContext, type WorkspaceEdit } from 'vscode-languageserver/node'
import type { Document } from '../../src/document/document.ts'
import { correctionOf } from '../../src/language/correction.ts'
import { limitsOf } from '../../src/language/fix-limits.ts'
import { suppressionEdit } from '../../src/language/suppress.ts'
import { applyFixes, type FixLimits } from '../../src/lint/fix/apply.ts'
import type { VisibleFix } from '../../src/lint/fix/fix.ts'
import type { Finding } from '../../src/lint/finding.ts'
import type { Answers } from './answers.ts'
import type { FindingData } from './diagnostic.ts'
import type { Checkable } from './checkable.ts'
import type { Engine } from './engine.ts'
import { isWrittenThere } from './overlays.ts'
import { keyOf } from './store.ts'
import { smallest } from './text.ts'

// Each is tried before it is offered.
const mostOffered = 8
// Above it a fix is tried when it is chosen, where the editor can wait for that.
const largeText = 400_000
const fixAll = `${CodeActionKind.SourceFixAll}.svc`

/** What a fix that was not tried yet is about. */
interface Later {
  readonly uri: string
  readonly fingerprint: string
}

export class Actions {
  readonly #engine: Engine
  readonly #answers: Answers
  /** The editor asks again for the edit of an action that it was offered. */
  resolves = false

  constructor(engine: Engine, answers: Answers) {
    this.#engine = engine
    this.#answers = answers
  }

  async offer(uri: string, { diagnostics, only }: CodeActionContext): Promise<CodeAction[]> {
    const wants = (kind: string): boolean =>
      only === undefined || only.some((it) => kind === it || kind.startsWith(`${it}.`))
    const key = keyOf(uri)
    const open = this.#engine.store.open.get(key)
    const checkable = open === undefined ? null : await this.#engine.checkable(key)
    if (open === undefined || checkable === null || checkable.document.value === null) return []
    const { document } = checkable
    const offered: CodeAction[] = []
    if (wants(CodeActionKind.QuickFix)) {
      const asked = new Set(diagnostics.map(({ data }) => (data as Partial<FindingData> | undefined)?.fingerprint))
      const found = this.#engine.findingsOf(key).filter((it) => asked.has(it.fingerprint))
      const isLate = this.resolves && document.text.length > largeText
      for (const finding of found.slice(0, mostOffered)) {
        const about = diagnostics.filter(
          ({ data }) => (data as Partial<FindingData>).fingerprint === finding.fingerprint,
        )
        const action = await this.#fix(checkable, finding, isLate ? { uri, fingerprint: finding.fingerprint } : null)
        if (action !== null) offered.push({ ...action, diagnostics: about })
        // A node that an overlay moved or made is at another place in the file.
        if (!isWrittenThere(checkable.laid.document, finding.path)) continue
        const corrected = finding.fix === null ? correctionOf(document, finding) : null
        if (corrected !== null)
          offered.push({
            title: corrected.title,
            kind: CodeActionKind.QuickFix,
            isPreferred: true,
            diagnostics: about,
            edit: this.#answers.editOf([{ document, edits: [corrected.edit] }]),
          })
        const suppressed = suppressionEdit(document, finding)
        if (suppressed !== null)
          offered.push({
            title: `Suppress ${finding.code} here`,
            kind: CodeActionKind.QuickFix,
            diagnostics: about,
            edit: this.#answers.editOf([{ document, edits: [suppressed] }]),
          })
      }
    }
    if (only !== undefined && wants(fixAll)) {
      const edit = await this.#edit(checkable, new Set(), () => true)
      if (edit !== null) offered.push({ title: 'Fix everything that no client sees', kind: fixAll, edit })
    }
    return offered
  }

  /** The edit of an action that was offered without one; the action as it is where its fix is not possible any more. */
  async resolve(action: CodeAction): Promise<CodeAction> {
    const { uri, fingerprint } = action.data as Later
    const checkable = await this.#engine.checkable(keyOf(uri))
    const finding = this.#engine.findingsOf(keyOf(uri)).find((it) => it.fingerprint === fingerprint)
    if (checkable === null || finding === undefined) return action
    const edit = await this.#fixEdit(checkable, finding)
    return edit === null
      ? { ...action, disabled: { reason: 'This fix would change what clients see, or help nothing.' } }
      : { ...action, edit }
  }

  async #fix(checkable: Checkable, finding: Finding, later: Later | null): Promise<CodeAction | null> {
    if (finding.fix === null) return null
    const action: CodeAction = {
      title: finding.fix.description.replace(/\.$/, ''),
      kind: CodeActionKind.QuickFix,
      isPreferred: finding.fix.visible === undefined,
    }
    if (later !== null) return { ...action, data: later }
    const edit = await this.#fixEdit(checkable, finding)
    return edit === null ? null : { ...action, edit }
  }

  async #fixEdit(checkable: Checkable, { fingerprint, fix }: Finding): Promise<WorkspaceEdit | null> {
    const visible = fix?.visible
    // What another file of the workspace uses is not removed.
    if (visible === 'removals' && (await this.#isUsedElsewhere(checkable.document))) return null
    const kinds: ReadonlySet<VisibleFix> = new Set(visible === undefined ? [] : [visible])
    return this.#edit(checkable, kinds, (it) => it.fingerprint === fingerprint)
  }

  async #isUsedElsewhere({ source }: Document): Promise<boolean> {
    const all = await this.#engine.store.naming(source, this.#answers.folders)
    return all.some((it) => it.source !== source)
  }

  /** The fixes of some findings, guarded as those of "svc lint --fix"; null where nothing is changed. */
  async #edit(
    { key, document, documents, applied }: Checkable,
    visible: ReadonlySet<VisibleFix>,
    isWanted: (finding: Finding) => boolean,
  ): Promise<WorkspaceEdit | null> {
    const own = await limitsOf(documents, visible, true)
    const limits: FixLimits = {
      ...own,
      mayFix: (it, finding) => isWanted(finding) && own.mayFix?.(it, finding) !== false,
    }
    const { text } = applyFixes(document, applied?.guide.rulesFor(key) ?? {}, documents, limits)
    if (text === document.text) return null
    const edit = smallest(document.text, { start: 0, end: document.text.length, text })
    return this.#answers.editOf([{ document, edits: [edit] }])
  }
}
