import { useDebounced } from '../../parts/use-debounced.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import type { CustomRules } from '../../../../src/api/style-guide-shapes.ts'
import { styleGuidesApi } from '../../../../src/api/style-guides.ts'
import { SvcError } from '../../../../src/errors.ts'
import { call } from '../../call.ts'
import { Button } from '../../parts/button.tsx'
import { CodeEditor, type EditorHandle, type Problem } from '../../parts/code-editor.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Read } from '../../parts/listing.tsx'
import { count } from '../../parts/text.ts'
import { Toolbar } from '../../parts/page.tsx'
import { Empty, Failure } from '../../parts/states.tsx'
import { UnsavedGuard } from '../../parts/dialog.tsx'
import { PreviewPane, TargetChoice } from './preview-pane.tsx'
import { useGuide } from './style-guide-page.tsx'
import { guideParams, type GuideRef, rulesQuery } from '../lint/queries.ts'
import { customRulesQuery, previewQuery, refreshGuides, type PreviewTarget } from './queries.ts'
import { queryClient } from '../../query-client.ts'

type PlacedProblem = Problem & { readonly pointer: string }

/** Where a refusal of the rules says that they are wrong; nothing for every other failure. */
export const problemsOf = (error: unknown): readonly PlacedProblem[] =>
  error instanceof SvcError && error.code === 'custom-rules-invalid'
    ? (error.detail as { problems: readonly PlacedProblem[] }).problems
    : []

const none: readonly PlacedProblem[] = []

/** What is wrong with the rules, each problem leading to its line. */
const Problems = ({
  problems,
  onReveal,
}: {
  problems: readonly PlacedProblem[]
  onReveal: (problem: Problem) => void
}) => (
  <div role="alert" className="card grid gap-1 border-danger px-4 py-3 text-sm">
    <p className="font-semibold text-danger">{count(problems.length, 'problem', 'problems')}: fix before saving</p>
    <ul className="grid gap-1">
      {problems.slice(0, 20).map((problem) => (
        <li key={`${problem.pointer} ${problem.message}`} className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3">
          <button type="button" className="link tabular-nums" onClick={() => onReveal(problem)}>
            line {problem.range.start.line + 1}:{problem.range.start.character + 1}
          </button>
          <span className="break-words">
            {problem.message}
            {problem.pointer === '' ? null : (
              <span className="ml-2 font-mono text-xs break-all text-soft">{problem.pointer}</span>
            )}
          </span>
        </li>
      ))}
    </ul>
  </div>
)

const starting = `# Rules in Spectral's format, in addition to the builtin rules.
# rules:
#   title-says-api:
#     description: The title ends with "API"
#     given: $.info.title
#     severity: warn
#     then:
#       function: pattern
#       functionOptions:
#         match: API$
rules: {}
`

/** Reads the rules whenever typing rests: their problems, and the last text that had none. */
const useReading = (at: GuideRef, text: string, saved: string, target: PreviewTarget | null) => {
  const debounced = useDebounced(text)
  const reading = useQuery(previewQuery(at, debounced, target))
  const [readable, setReadable] = useState(saved)
  useEffect(() => {
    if (reading.isSuccess) setReadable(debounced)
  }, [reading.isSuccess, debounced])
  const problems = reading.error ? problemsOf(reading.error) : none
  return { problems: problems.length === 0 ? none : problems, readable, rules: reading.data?.rules ?? null }
}

const savedWords = (unsaved: boolean, saved: string): string => {
  if (unsaved) return 'Unsaved changes'
  return saved === '' ? 'No custom rules' : 'Saved'
}

/** What the rules are tried on; null while nothing is chosen. */
const targetOf = (pasted: string | null, project: string, version: string): PreviewTarget | null => {
  if (pasted !== null) return pasted.trim() === '' ? null : { kind: 'text', content: pasted }
  return project === '' || version === '' ? null : { kind: 'version', project, version }
}

const SaveBar = ({
  own,
  unsaved,
  isSaving,
  hasProblems,
  status,
  onSave,
  onDiscard,
}: {
  own: boolean
  unsaved: boolean
  isSaving: boolean
  hasProblems: boolean
  status: string
  onSave: () => void
  onDiscard: () => void
}) => (
  <div className="flex flex-wrap items-center gap-3">
    {own ? (
      <>
        <Button look="primary" busy={isSaving} disabled={!unsaved || hasProblems} onClick={onSave}>
          Save rules
        </Button>
        {unsaved ? <Button onClick={onDiscard}>Discard</Button> : null}
      </>
    ) : null}
    <span role="status" className="text-sm text-soft">
      {status}
    </span>
  </div>
)

/** Saves the rules, and reads what depends on them again. */
const useSaveRules = (at: GuideRef, text: string, onSaved: (yaml: string) => void) =>
  useMutation({
    scope: { id: useId() },
    mutationFn: async () => {
      const done = await call(styleGuidesApi.putCustomRules, { params: guideParams(at), body: { yaml: text } })
      onSaved(done.yaml)
      queryClient.setQueryData(customRulesQuery(at).queryKey, done)
      await refreshGuides(at.tenant)
    },
  })

const Editing = ({
  at,
  saved,
  own,
  project,
  version,
}: {
  at: GuideRef
  saved: CustomRules
  own: boolean
  project: string
  version: string
}) => {
  const handle = useRef<EditorHandle>(null)
  const [kept, setKept] = useState(saved.yaml)
  const [text, setText] = useState(saved.yaml === '' && own ? starting : saved.yaml)
  const [pasted, setPasted] = useState<string | null>(null)
  const rules = useQuery(rulesQuery(at))
  const document = useDebounced(pasted)
  const target = targetOf(document, project, version)
  const reading = useReading(at, text, saved.yaml, target)
  const unsaved = text !== kept && !(kept === '' && text === starting)
  const save = useSaveRules(at, text, setKept)
  const refused = text === kept ? none : problemsOf(save.error)
  const reported = reading.problems.length > 0 ? reading.problems : refused
  const problems = reported.length === 0 ? none : reported
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5 lg:grid-cols-2">
      <UnsavedGuard unsaved={unsaved} what="these rules" />
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-3">
        <CodeEditor
          label="Custom rules"
          text={text}
          readOnly={!own}
          problems={problems}
          names={rules.data?.items ?? []}
          handle={handle}
          onChange={setText}
          onSave={() => {
            if (own && unsaved && problems.length === 0) save.mutate()
          }}
        />
        {problems.length > 0 ? <Problems problems={problems} onReveal={(it) => handle.current?.reveal(it)} /> : null}
        {save.error && problemsOf(save.error).length === 0 ? <Failure error={save.error} /> : null}
        <SaveBar
          own={own}
          unsaved={unsaved}
          isSaving={save.isPending}
          hasProblems={problems.length > 0}
          status={`${savedWords(unsaved, kept)}${reading.rules === null || problems.length > 0 ? '' : `, ${count(reading.rules.length, 'custom rule', 'custom rules')}`}`}
          onSave={() => save.mutate()}
          onDiscard={() => setText(kept === '' ? starting : kept)}
        />
        <p className="text-xs text-soft">
          Tab leaves the editor. Ctrl+Space completes, F8 goes to the next problem, Ctrl+S saves.
        </p>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-3">
        <TargetChoice tenant={at.tenant} project={project} version={version} pasted={pasted} onPaste={setPasted} />
        <PreviewPane at={at} saved={kept} draft={reading.readable} target={target} />
      </div>
    </div>
  )
}

/** The custom rules of a guide as text, tried on a document while they are written. */
export const CustomRulesView = ({ at, project, version }: { at: GuideRef; project: string; version: string }) => {
  const { guide, own } = useGuide(at)
  const custom = useQuery(customRulesQuery(at))
  return (
    <section aria-label="Custom rules" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Toolbar>
        <p className="flex-1 basis-72 text-sm text-pretty text-soft">
          A Spectral ruleset: extend builtin rulesets, configure their rules and add your own.
        </p>
        <CommandHint command={svcCommand(at.tenant, ['style-guide', 'custom-rules', guide.data?.name ?? at.guide])} />
      </Toolbar>
      <Read query={custom} what="the custom rules">
        {(saved) =>
          saved.yaml === '' && !own ? (
            <Empty title="No custom rules">
              <p>
                {guide.data?.builtin
                  ? 'Builtin guides have no custom rules. Duplicate the guide to add some.'
                  : 'An Owner or Admin can add custom rules.'}
              </p>
            </Empty>
          ) : (
            <Editing key={at.guide} at={at} saved={saved} own={own} project={project} version={version} />
          )
        }
      </Read>
    </section>
  )
}
