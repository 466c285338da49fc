import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { versionsApi } from '../../../../src/api/versions.ts'
import { replaceText, type Text } from '../../call.ts'
import { Button } from '../../parts/button.tsx'
import { bytesWords } from '../../parts/bytes.ts'
import { ChosenFile, type TextFile } from '../../parts/chosen-file.tsx'
import { useDownload } from '../../parts/download.ts'
import { DropField } from '../../parts/drop-field.tsx'
import { Form } from '../../parts/form.tsx'
import { Failure } from '../../parts/states.tsx'
import { queryClient } from '../../query-client.ts'
import { type VersionRef, versionParams } from './queries.ts'

/** Larger documents are edited as files: a text field of megabytes freezes the page. */
export const mostEditable = 1_000_000

/** A draft's document that is too large for a text field: downloaded, edited elsewhere, and replaced by the new file. */
export const LargeDocument = ({ at, read, onDone }: { at: VersionRef; read: Text; onDone: () => Promise<void> }) => {
  const [file, setFile] = useState<TextFile | null>(null)
  const download = useDownload()
  const save = useMutation({
    scope: { id: useId() },
    mutationFn: async () => {
      await replaceText(versionsApi.putDocument, versionParams(at), read, file?.text ?? read.text)
      await queryClient.invalidateQueries()
      await onDone()
    },
  })
  const name = `${at.project}-${at.version}.${read.mediaType.includes('json') ? 'json' : 'yaml'}`
  return (
    <div className="card grid gap-4 p-4">
      <p>
        This document is too large to edit in the browser ({bytesWords(read.text.length)}). Download it, edit it, and
        choose the edited file here.
      </p>
      <div>
        <Button
          busy={download.isPending}
          onClick={() => download.mutate({ name, type: read.mediaType, read: () => Promise.resolve(read.text) })}
        >
          Download the document
        </Button>
      </div>
      {download.error ? <Failure error={download.error} /> : null}
      <Form change={save} submit="Save the draft" disabled={file === null} onCancel={() => void onDone()}>
        {file ? (
          <ChosenFile file={file} onRemove={() => setFile(null)} />
        ) : (
          <DropField
            label="Choose the edited file, or drop it here"
            accept=".json,.yaml,.yml"
            onText={(chosen, text) => setFile({ name: chosen, text })}
          />
        )}
      </Form>
    </div>
  )
}
