import { FileUp } from 'lucide-react'
import { useEffect, useState } from 'react'

const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false

/** Takes files that are dropped anywhere on the page, and says so while they are dragged over it. */
export const DropPage = ({ words, onDrop }: { words: string; onDrop: (transfer: DataTransfer) => void }) => {
  const [over, setOver] = useState(false)
  useEffect(() => {
    // Entering a part of the page leaves another: only the sum says whether the files are still over it.
    let depth = 0
    const enter = (event: DragEvent): void => {
      if (!carriesFiles(event)) return
      depth++
      setOver(true)
    }
    const leave = (event: DragEvent): void => {
      if (!carriesFiles(event)) return
      depth = Math.max(0, depth - 1)
      setOver(depth > 0)
    }
    const stay = (event: DragEvent): void => {
      if (carriesFiles(event)) event.preventDefault()
    }
    const drop = (event: DragEvent): void => {
      if (!carriesFiles(event) || event.dataTransfer === null) return
      event.preventDefault()
      depth = 0
      setOver(false)
      onDrop(event.dataTransfer)
    }
    window.addEventListener('dragenter', enter)
    window.addEventListener('dragleave', leave)
    window.addEventListener('dragover', stay)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragenter', enter)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('dragover', stay)
      window.removeEventListener('drop', drop)
    }
  }, [onDrop])
  return over ? (
    <div className="pointer-events-none fixed inset-0 z-40 grid place-items-center bg-shade p-6">
      <p className="card flex items-center gap-3 border-2 border-dashed border-accent px-8 py-10 text-lg font-medium">
        <FileUp aria-hidden="true" className="text-accent" /> {words}
      </p>
    </div>
  ) : null
}
