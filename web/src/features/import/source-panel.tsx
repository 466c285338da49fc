import { useMutation } from '@tanstack/react-query'
import { FileUp, FolderOpen } from 'lucide-react'
import { useCallback, useId, useRef, useState } from 'react'
import { DocumentField } from '../../parts/document-field.tsx'
import { Button } from '../../parts/button.tsx'
import { Field, Form } from '../../parts/form.tsx'
import { Choices } from '../../parts/choices.tsx'
import type { Chosen } from './chosen.ts'
import { DropPage } from './drop-page.tsx'
import { type FileAt, filesOfDrop, filesOfList, readFiles } from './read-files.ts'

type Way = 'paste' | 'url' | 'git'
const ways = [
  { value: 'paste', name: 'Paste text' },
  { value: 'url', name: 'URL' },
  { value: 'git', name: 'Git repository' },
] as const

const FilePick = ({
  label,
  icon: Icon,
  folder = false,
  onFiles,
}: {
  label: string
  icon: typeof FileUp
  folder?: boolean
  onFiles: (files: readonly FileAt[]) => void
}) => {
  const field = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button look={folder ? 'plain' : 'primary'} onClick={() => field.current?.click()}>
        <Icon size={16} aria-hidden="true" /> {label}
      </Button>
      <input
        ref={field}
        type="file"
        aria-label={label}
        tabIndex={-1}
        className="sr-only"
        multiple
        {...(folder ? { webkitdirectory: '' } : { accept: '.json,.yaml,.yml,.zip,.tar,.tgz,.gz' })}
        onChange={(event) => {
          const files = filesOfList(event.target.files)
          // The same file, changed meanwhile, can be chosen again.
          event.target.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
    </>
  )
}

const PasteForm = ({ onChoose }: { onChoose: (chosen: Chosen) => void }) => {
  const [text, setText] = useState('')
  const submit = {
    mutate: () => onChoose({ kind: 'text', name: 'pasted text', text }),
    isPending: false,
    error: null,
  }
  return (
    <Form change={submit} submit="Check" disabled={text.trim() === ''}>
      <DocumentField label="Document" value={text} onChange={setText} />
    </Form>
  )
}

const UrlForm = ({ onChoose }: { onChoose: (chosen: Chosen) => void }) => {
  const [url, setUrl] = useState('')
  const submit = { mutate: () => onChoose({ kind: 'url', url: url.trim() }), isPending: false, error: null }
  return (
    <Form change={submit} submit="Check" disabled={url.trim() === ''}>
      <Field
        label="URL of a document or an archive"
        type="url"
        hint="The service fetches it. Only public addresses are allowed."
        value={url}
        onChange={(event) => setUrl(event.target.value)}
      />
    </Form>
  )
}

const GitForm = ({ onChoose }: { onChoose: (chosen: Chosen) => void }) => {
  const [values, setValues] = useState({ url: '', ref: '', path: '' })
  const bind = (name: keyof typeof values) => ({
    value: values[name],
    onChange: (event: { target: { value: string } }) => setValues({ ...values, [name]: event.target.value }),
  })
  const submit = {
    mutate: () => onChoose({ kind: 'git', url: values.url.trim(), ref: values.ref.trim(), path: values.path.trim() }),
    isPending: false,
    error: null,
  }
  return (
    <Form change={submit} submit="Check" disabled={values.url.trim() === ''}>
      <Field label="Clone URL" type="url" hint="A public repository, over https." {...bind('url')} />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="Branch, tag or commit (optional)" {...bind('ref')} />
        <Field label="File or folder (optional)" hint="The whole repository when empty." {...bind('path')} />
      </div>
    </Form>
  )
}

/** Where the document comes from: files chosen or dropped anywhere on the page, a pasted text, or an address. */
export const SourcePanel = ({ onChoose }: { onChoose: (chosen: Chosen) => void }) => {
  const [way, setWay] = useState<Way | null>(null)
  const { mutate, error, isPending } = useMutation({
    mutationFn: async (files: Promise<readonly FileAt[]>) => readFiles(await files),
    onSuccess: onChoose,
    scope: { id: useId() },
  })
  const onDrop = useCallback((transfer: DataTransfer) => mutate(filesOfDrop(transfer)), [mutate])
  const read = (files: readonly FileAt[]): void => mutate(Promise.resolve(files))
  return (
    <>
      <DropPage onDrop={onDrop} />
      <div className="grid justify-items-center gap-4 rounded-xl border-2 border-dashed border-edge bg-surface px-4 py-10 text-center">
        <p className="text-lg font-medium">Drop files, a folder or an archive here</p>
        <div className="flex flex-wrap justify-center gap-2">
          <FilePick label="Choose files" icon={FileUp} onFiles={read} />
          <FilePick label="Choose a folder" icon={FolderOpen} folder onFiles={read} />
        </div>
        <p className="max-w-prose text-sm text-soft">
          OpenAPI, Swagger, Arazzo or JSON Schema as JSON or YAML; zip or tar. Nothing is stored before you confirm.
        </p>
        {isPending ? <p role="status">Reading …</p> : null}
        {error ? (
          <p role="alert" className="text-danger">
            {error.message}
          </p>
        ) : null}
      </div>
      <Choices
        label="Other sources"
        value={way}
        choices={ways}
        onChange={(value) => setWay(ways.find((it) => it.value === value)?.value ?? null)}
      />
      {way === 'paste' ? <PasteForm onChoose={onChoose} /> : null}
      {way === 'url' ? <UrlForm onChoose={onChoose} /> : null}
      {way === 'git' ? <GitForm onChoose={onChoose} /> : null}
    </>
  )
}
