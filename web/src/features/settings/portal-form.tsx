import { useState } from 'react'
import { type PortalSetting, portalApi } from '../../../../src/api/portal.ts'
import { call } from '../../call.ts'
import { Button } from '../../parts/button.tsx'
import { CheckField, Field, Form, TextField, useForm } from '../../parts/form.tsx'
import { queryClient } from '../../query-client.ts'
import { portalQuery } from './portal.ts'

const mostBytes = 64 * 1024

/** A picture as a `data:` URL. */
const dataUrlOf = async (file: File): Promise<string> => {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return `data:${file.type};base64,${btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''))}`
}

/** The logo: shown, replaced or taken away. */
const LogoField = ({ logo, onChange }: { logo: string; onChange: (logo: string) => void }) => {
  const [problem, setProblem] = useState('')
  return (
    <div className="grid gap-1.5">
      <label className="grid gap-1.5">
        <span className="font-medium">Logo</span>
        <input
          type="file"
          accept="image/png,image/webp,image/svg+xml"
          className="text-sm file:mr-3 file:min-h-8 file:rounded-lg file:border file:border-solid file:border-bound file:bg-float file:px-3 file:font-medium"
          onChange={(event) => {
            const file = event.target.files?.[0]
            if (file === undefined) return
            if (file.size > mostBytes) return setProblem('The picture is larger than 64 kB.')
            setProblem('')
            void dataUrlOf(file).then(onChange)
          }}
        />
        <span className="text-xs text-soft">PNG, WebP or SVG, at most 64 kB.</span>
      </label>
      {problem === '' ? null : (
        <p role="alert" className="text-sm text-danger">
          {problem}
        </p>
      )}
      {logo === '' ? null : (
        <div className="flex items-center gap-3">
          <img src={logo} alt="The logo" className="max-h-8 max-w-32" />
          <Button onClick={() => onChange('')}>Remove the logo</Button>
        </div>
      )}
    </div>
  )
}

/** What the portal shows beside the projects. */
export const PortalForm = ({ tenant, setting }: { tenant: string; setting: PortalSetting }) => {
  const [grades, setGrades] = useState(setting.show_grades)
  const [owners, setOwners] = useState(setting.show_owners)
  const { title, introduction, logo } = setting
  const form = useForm({ title: title ?? '', introduction: introduction ?? '', logo: logo ?? '' }, async (values) => {
    const body = {
      title: values.title.trim() || null,
      introduction: values.introduction.trim() || null,
      logo: values.logo || null,
      show_grades: grades,
      show_owners: owners,
    }
    const changed = await call(portalApi.change, { params: { tenant_slug: tenant }, body })
    queryClient.setQueryData(portalQuery(tenant).queryKey, changed)
  })
  return (
    <Form change={form} submit="Save the portal" look="plain">
      <Field label="Title" maxLength={100} placeholder={'"APIs of" and the name'} {...form.bind('title')} />
      <TextField label="Introduction" hint="Markdown." maxLength={5000} {...form.bind('introduction')} />
      <LogoField logo={form.values.logo} onChange={(to) => form.set({ logo: to })} />
      <CheckField checked={grades} onChange={setGrades}>
        Show the lint grade of each API to everybody
      </CheckField>
      <CheckField checked={owners} onChange={setOwners}>
        Show the owner of each API to everybody
      </CheckField>
    </Form>
  )
}
