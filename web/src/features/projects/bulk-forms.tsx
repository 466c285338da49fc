import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import type { BulkResult } from '../../../../src/api/project-bulk.ts'
import { lifecycles, type ProjectFacets } from '../../../../src/api/projects.ts'
import { Button } from '../../parts/button.tsx'
import { count } from '../../parts/text.ts'
import { AlertWindow, Window } from '../../parts/dialog.tsx'
import { saveFile } from '../../parts/download.ts'
import { Field, Form, SelectField, useForm } from '../../parts/form.tsx'
import { Read } from '../../parts/listing.tsx'
import { restorable, sayAllDeleted } from '../bin/undo.ts'
import { guidesQuery, refreshGuides } from '../style-guides/queries.ts'
import { type BulkChange, changeSelected, exportSelected, summaryOf } from './bulk.ts'
import { type ProjectFilter, refreshProjects } from '../catalog/projects.ts'
import type { Selection } from './selection.ts'

interface Given {
  readonly tenant: string
  readonly filter: ProjectFilter
  readonly selection: Selection
  readonly facets: ProjectFacets | undefined
  readonly onMessage: (text: string) => void
  readonly onClose: () => void
}

/** What was refused, with the reason of each; the rest was done. */
const Refused = ({ results, onClose }: { results: readonly BulkResult[]; onClose: () => void }) => (
  <div className="grid gap-4">
    <p>{summaryOf(results)}</p>
    <ul className="grid max-h-80 gap-2 overflow-auto text-sm" tabIndex={0} aria-label="Refused projects">
      {results
        .filter(({ outcome }) => outcome === 'refused')
        .map(({ slug, name, reason }) => (
          <li key={slug} className="wrap-anywhere">
            <span className="font-medium">{name ?? slug}</span> {reason?.message}
          </li>
        ))}
    </ul>
    <span>
      <Button look="primary" onClick={onClose}>
        Close
      </Button>
    </span>
  </div>
)

/** A form whose values become a change of everything that is selected. */
const ChangeForm = <V extends Record<string, string>>({
  given,
  initial,
  submit,
  look = 'primary',
  isReady = () => true,
  changeOf,
  children,
}: {
  given: Given
  initial: V
  submit: string
  look?: 'primary' | 'danger'
  isReady?: (values: V) => boolean
  changeOf: (values: V) => BulkChange
  children: (form: ReturnType<typeof useForm<V>>) => ReactNode
}) => {
  const { tenant, filter, selection, onMessage, onClose } = given
  const [done, setDone] = useState(0)
  const [results, setResults] = useState<readonly BulkResult[] | null>(null)
  const form = useForm(initial, async (values) => {
    const change = changeOf(values)
    const all = await changeSelected(tenant, selection, filter, change, setDone)
    await (change.style_guide === undefined ? refreshProjects(tenant) : refreshGuides(tenant))
    onMessage(summaryOf(all))
    if (change.delete === true) {
      const gone = all.flatMap(({ outcome, project_id: id }) => (outcome === 'refused' || id === null ? [] : [id]))
      sayAllDeleted(tenant, gone, count(gone.length, 'project', 'projects'))
    }
    if (all.some(({ outcome }) => outcome === 'refused')) return setResults(all)
    if (change.delete === true) selection.clear()
    return onClose()
  })
  if (results !== null) return <Refused results={results} onClose={onClose} />
  const progress = `${done.toLocaleString()} of ${selection.count.toLocaleString()} done`
  return (
    <Form
      change={form}
      submit={submit}
      look={look}
      disabled={!isReady(form.values)}
      onCancel={onClose}
      note={
        <span role="status" className="text-sm text-soft">
          {form.isPending && done > 0 ? progress : ''}
        </span>
      }
    >
      {children(form)}
    </Form>
  )
}

const tagsIn = (text: string): string[] => [
  ...new Set(
    text
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((tag) => tag !== ''),
  ),
]

/** Values that other projects have, offered while typing. */
const Known = ({ id, values }: { id: string; values: readonly { readonly value: string }[] | undefined }) => (
  <datalist id={id}>
    {(values ?? []).slice(0, 100).map(({ value }) => (
      <option key={value} value={value} />
    ))}
  </datalist>
)

const OwnerForm = (given: Given) => {
  const id = useId()
  return (
    <ChangeForm
      given={given}
      initial={{ owner: '' }}
      submit="Set the owner"
      changeOf={({ owner }) => ({ owner: owner.trim() || null })}
    >
      {({ bind }) => (
        <>
          <Field
            label="Owner"
            hint="The name of a team or a person; empty removes the owner."
            maxLength={200}
            list={id}
            {...bind('owner')}
          />
          <Known id={id} values={given.facets?.owner} />
        </>
      )}
    </ChangeForm>
  )
}

const LifecycleForm = (given: Given) => (
  <ChangeForm
    given={given}
    initial={{ lifecycle: '' }}
    submit="Set the lifecycle"
    changeOf={({ lifecycle }) => ({ lifecycle: lifecycles.find((it) => it === lifecycle) ?? null })}
  >
    {({ values, set }) => (
      <SelectField
        label="Lifecycle"
        value={values.lifecycle}
        options={[{ value: '', name: 'None' }, ...lifecycles.map((it) => ({ value: it, name: it }))]}
        onChange={(lifecycle) => set({ lifecycle })}
      />
    )}
  </ChangeForm>
)

const TagsForm = ({ remove = false, ...given }: Given & { remove?: boolean }) => {
  const id = useId()
  return (
    <ChangeForm
      given={given}
      initial={{ tags: '' }}
      submit={remove ? 'Remove the tags' : 'Add the tags'}
      isReady={({ tags }) => tagsIn(tags).length > 0}
      changeOf={({ tags }) => (remove ? { remove_tags: tagsIn(tags) } : { add_tags: tagsIn(tags) })}
    >
      {({ bind }) => (
        <>
          <Field
            label="Tags"
            hint="Separated by commas or spaces."
            autoComplete="off"
            list={id}
            {...bind('tags', remove ? 'remove_tags' : 'add_tags')}
          />
          <Known id={id} values={given.facets?.tag} />
        </>
      )}
    </ChangeForm>
  )
}

const GuideForm = (given: Given) => {
  const guides = useQuery(guidesQuery(given.tenant))
  return (
    <Read query={guides} what="the style guides">
      {({ items }) => (
        <ChangeForm
          given={given}
          initial={{ guide: '' }}
          submit="Assign"
          changeOf={({ guide }) => ({ style_guide: guide || null })}
        >
          {({ values, set }) => (
            <SelectField
              label="Style guide"
              hint="Their stored grades are calculated again."
              value={values.guide}
              options={[
                { value: '', name: `Default (${items.find((it) => it.isDefault)?.name ?? 'svc:recommended'})` },
                ...items.map(({ id, name }) => ({ value: id, name })),
              ]}
              onChange={(guide) => set({ guide })}
            />
          )}
        </ChangeForm>
      )}
    </Read>
  )
}

const ExportForm = ({ tenant, selection, filter, onClose }: Given) => {
  const form = useForm({}, async () => {
    const content = await exportSelected(tenant, selection, filter)
    saveFile('catalog-info.yaml', new Blob([content], { type: 'application/yaml' }))
    onClose()
  })
  return (
    <Form change={form} submit="Download catalog-info.yaml" onCancel={onClose}>
      <p className="text-soft">
        A file with an API entity for each project, for the catalogue of Backstage. Its definition is the address of the
        latest document.
      </p>
    </Form>
  )
}

const DeleteForm = (given: Given) => {
  const wanted = String(given.selection.count)
  return (
    <ChangeForm
      given={given}
      initial={{ number: '' }}
      submit={`Delete ${count(given.selection.count, 'project', 'projects')}`}
      look="danger"
      isReady={({ number }) => number.trim() === wanted}
      changeOf={() => ({ delete: true })}
    >
      {({ bind }) => (
        <>
          <p className="text-soft">
            The projects are deleted with all their versions, including published ones. {restorable}
          </p>
          <Field
            label={`Type "${wanted}" to confirm`}
            inputMode="numeric"
            autoComplete="off"
            {...bind('number', 'expected')}
          />
        </>
      )}
    </ChangeForm>
  )
}

const forms: Readonly<Record<string, { title: (what: string) => string; form: (given: Given) => ReactNode }>> = {
  'bulk-owner': { title: (what) => `Set the owner of ${what}`, form: OwnerForm },
  'bulk-lifecycle': { title: (what) => `Set the lifecycle of ${what}`, form: LifecycleForm },
  'bulk-add-tags': { title: (what) => `Add tags to ${what}`, form: TagsForm },
  'bulk-remove-tags': { title: (what) => `Remove tags from ${what}`, form: (given) => <TagsForm {...given} remove /> },
  'bulk-guide': { title: (what) => `Assign a style guide to ${what}`, form: GuideForm },
  'bulk-export': { title: (what) => `Export ${what} for Backstage`, form: ExportForm },
}

/** The dialogs about what is selected, by the word that the address has for each. */
export const BulkDialogs = ({ dialog, ...given }: Given & { dialog: string }) => {
  const what = count(given.selection.count, 'project', 'projects')
  if (dialog === 'bulk-delete')
    return (
      <AlertWindow open onClose={given.onClose} title={`Delete ${what}?`}>
        <DeleteForm {...given} />
      </AlertWindow>
    )
  const found = forms[dialog]
  if (found === undefined) return null
  const Inner = found.form
  return (
    <Window open onClose={given.onClose} title={found.title(what)}>
      <Inner {...given} />
    </Window>
  )
}
