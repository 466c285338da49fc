import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue } from 'react'
import { type ChangeReport, changeReportsApi } from '../../../../src/api/change-reports.ts'
import { adoptReport, partsOf, reportParams } from './queries.ts'
import { call } from '../../call.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { UnsavedGuard } from '../../parts/dialog.tsx'
import { Form, TextField, useForm } from '../../parts/form.tsx'
import { Markdown } from '../../parts/markdown.tsx'
import type { VersionRef } from '../catalog/versions.ts'

interface Texts extends Record<string, string> {
  Header: string
  Body: string
  Footnote: string
}
const names = ['Header', 'Body', 'Footnote'] as const
const rows = { Header: 3, Body: 16, Footnote: 3 } as const

const toldIn = (report: ChangeReport): Texts => {
  const parts = partsOf(report)
  const shown = (name: (typeof names)[number]): string => {
    const part = parts.find((it) => it.name === name)
    return part?.edited ?? part?.rendered ?? ''
  }
  return { Header: shown('Header'), Body: shown('Body'), Footnote: shown('Footnote') }
}

/** What is sent: each part that was changed, whole; null where it says again what was rendered. */
const patchOf = (report: ChangeReport, texts: Texts) => {
  const before = toldIn(report)
  const rendered = Object.fromEntries(partsOf(report).map((it) => [it.name, it.rendered]))
  const changed = (name: (typeof names)[number]): boolean => texts[name] !== before[name]
  const value = (name: (typeof names)[number]): string | null => (texts[name] === rendered[name] ? null : texts[name])
  return {
    ...(changed('Header') ? { editedHeaderSnapshot: value('Header') } : {}),
    ...(changed('Body') ? { editedRenderedBody: value('Body') } : {}),
    ...(changed('Footnote') ? { editedFootnoteSnapshot: value('Footnote') } : {}),
  }
}

/** Writes over what was rendered, beside what readers will see. */
export const ReportEditor = ({ at, report }: { at: VersionRef; report: ChangeReport }) => {
  const navigate = useNavigate()
  const leave = (ignoreBlocker: boolean) =>
    navigate({ to: '/t/$tenant/$project/$version/changes/report', params: { ...at }, replace: true, ignoreBlocker })
  const form = useForm(toldIn(report), async (texts) => {
    adoptReport(at, await call(changeReportsApi.edit, { params: reportParams(at), body: patchOf(report, texts) }))
    await leave(true)
  })
  const { values } = form
  const preview = useDeferredValue(
    names
      .map((name) => values[name])
      .filter((it) => it !== '')
      .join('\n\n'),
  )
  const unsaved = Object.keys(patchOf(report, values)).length > 0
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <UnsavedGuard unsaved={unsaved} what="this report" />
      <Form change={form} submit="Save" disabled={!unsaved} onCancel={() => void leave(false)}>
        {partsOf(report).map(({ name, rendered }) => (
          <div key={name} className="grid gap-1">
            <TextField
              label={`${name}, in Markdown`}
              rows={rows[name]}
              className="font-mono text-sm"
              {...form.bind(name)}
            />
            {values[name] === rendered ? null : (
              <p className="flex flex-wrap items-center gap-2 text-sm">
                <Badge tone="info">edited</Badge>
                <Button look="quiet" onClick={() => form.set({ [name]: rendered })}>
                  Restore the generated text<span className="sr-only">: {name}</span>
                </Button>
              </p>
            )}
          </div>
        ))}
      </Form>
      <section aria-label="Preview" className="card grid grid-cols-[minmax(0,1fr)] gap-2 p-4">
        <p className="text-xs font-medium text-soft">Preview</p>
        <Markdown text={preview} />
      </section>
    </div>
  )
}
