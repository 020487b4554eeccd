/** The picture of a page, painted; what was painted goes with it. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { useWords } from '../languages/words.ts';
import type { Picture } from '../screen.ts';

interface PagePictureProps {
  readonly name: string;
  readonly page: number;
  readonly picture: Picture;
}

export function PagePicture({ name, page, picture }: PagePictureProps) {
  const { say } = useWords();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    let isOver = false;
    const { current: target } = canvas;
    const paint = async (): Promise<void> => {
      const bitmap = await picture(name);
      if (bitmap && target && !isOver) {
        Object.assign(target, { width: bitmap.width, height: bitmap.height });
        target.getContext('2d')?.drawImage(bitmap, 0, 0);
      } else if (!isOver) setLost(true);
      bitmap?.close();
    };
    void paint();
    return () => {
      isOver = true;
      if (target) target.width = 0;
    };
  }, []);
  if (isLost) return <p role="alert">{say('notSent')}</p>;
  return <canvas ref={canvas} width={0} height={0} role="img" aria-label={say('pagePicture', { page })} />;
}
