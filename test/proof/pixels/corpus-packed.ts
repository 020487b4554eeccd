/**
 * Images as scanners and archives pack them, 48 by 36 pixels each: JPEG 2000 by `opj_compress` of OpenJPEG 2.5.0
 * (BSD-2-Clause), and JBIG2 by hand from ITU-T T.88 (generic regions; `jbig2dec` 0.19 unpacks them to the pixels that
 * were packed).
 */
import type { Sample } from './corpus.ts';
import { pdfOf, stream } from '../../support/printer/pdf-writer.ts';

/** `-r 8 -I`: wavelets that lose. */
const lossyRgb =
  'AAAADGpQICANCocKAAAAFGZ0eXBqcDIgAAAAAGpwMiAAAAAtanAyaAAAABZpaGRyAAAAJAAAADAAAwcHAAAAAAAPY29scgEAAAAA' +
  'ABAAAAJFanAyY/9P/1EALwAAAAAAMAAAACQAAAAAAAAAAAAAADAAAAAkAAAAAAAAAAAAAwcBAQcBAQcBAf9SAAwAAAABAQUEBAAA' +
  '/1wAI0J3IHbwdvB2wG8AbwBu4GdQZ1BnaFAFUAVQR1fTV9NXYv9kACUAAUNyZWF0ZWQgYnkgT3BlbkpQRUcgdmVyc2lvbiAyLjUu' +
  'MP+QAAoAAAAAAa4AAf+Tx9gMB6NlnRc7w+kKA6jbwZPH2AwMHd+RrbPAOCAMJcBwUAfAEALiA5nAOCAIFsBHAfAJAcEAA7lEBOJx' +
  'QAfgwfKHg+YLB4MELx/KyjFpBU7dAfcH4MDA+INAcGAVj4i/zv0HktHAw4HCQGMAGCw2DZrLKhWglXHrn8PjGw+UVB8BQBgqxi3K' +
  'fGUOKQ7dTJAOG86+/1ZiKMnWB6UDhei88iu4/sBJAYkBw4AVZbMVC2b0MRjC/3pI8XvAr4FpABcFGbmFw2EHwwveSBX3tQwaFeKC' +
  'SxKfEhjmhI9hoiE7YcfEej4kUFaAGeEBy4YSalWP9VrNSfflbiCdJtZQytD3IYP3e0LBIOT0lp/T4z7D8mbTwgEpL3WZC/zC+omb' +
  'WH2ZGUyLTrAkWBXYqT1U09eMIgFZJDWAgMO0sO1MHKgkxjsYUsjPg4zfHBsg9QDd5jnWRvn5pdX0rCB2ls4ZPvHU6iNWJMY7GFLI' +
  'z4OM3xwbIPUA3eY51ia7aPS8uM247G/IOtxak3zsIcJY8PskxjsYUskXUMrtJNJueqXM1duF7oD/2Q==';

/** `-r 4 -I -t 32,32`: in four tiles. */
const tiledRgb =
  'AAAADGpQICANCocKAAAAFGZ0eXBqcDIgAAAAAGpwMiAAAAAtanAyaAAAABZpaGRyAAAAJAAAADAAAwcHAAAAAAAPY29scgEAAAAA' +
  'ABAAAAUbanAyY/9P/1EALwAAAAAAMAAAACQAAAAAAAAAAAAAACAAAAAgAAAAAAAAAAAAAwcBAQcBAQcBAf9SAAwAAAABAQUEBAAA' +
  '/1wAI0J3IHbwdvB2wG8AbwBu4GdQZ1BnaFAFUAVQR1fTV9NXYv9kACUAAUNyZWF0ZWQgYnkgT3BlbkpQRUcgdmVyc2lvbiAyLjUu' +
  'MP+QAAoAAAAAAs0AAf+Tw/gDCW+/w/gCAtnA/ICACb/A/ICg/UCgD6QQAcUAvwbfwD7AKB+QHAfeBAcnCHh/Ba/B+oFB+oFAD5gQ' +
  'BBsF0wAfwHxhIPsBoD5ggAzdcN0LPU0khmoH+FScwfSFg/IGg+8FBTiW+QwFBYfgaJQH+E+8tsD6QsD5gsA+kIAM/Ct7xQwUfOkJ' +
  'BOQTisD5RcD4xcB8BAAYK+3QRvk4XmdFwA4MTPRtQXTCwL7VFYdzPKvQe6LD6R0PsD4PpHgYJVuDTq+mGY0eM35DcQ2aFcnX2dBi' +
  '7zElHHwtzgezaq24qrJPCQLD+MS7dcB8BMD5RUB8AwAVXDjhMdG/XuYIZnoTXBBkDuoXFjN2SlCjwPKQPLQFSBcFGbmFw3UWNRcx' +
  'nbXZq5vwVnHMDBoV4oJLEkMX32jGVLskEqF94rhCvxXYqT1U5LZ3qsfQlj6E8HylQBnXPwfsueNZxXlkTUoeydvArTZI5BiAXjSb' +
  '0wlM185DfTHMYIkg5P9oUUpZKN1IQ/7gpFCCQX/8Vr0MhQZcev1THUuikeiqs9pGce8V2Kk9VOS2d6rTMuMAcLQkUIZ9FJzA8nA6' +
  'dAcUF7EbuYXDdRY1FzugRar7YA9Q7Q7KHeKCSxJDHyxrqG/bFoSrPVTktnebWMByhA6fAOLAIWwH6VAdV3LaDft4HNAAlY/BSVgk' +
  'h6yTEDEG9eEWyCTGOxzAmRHM0zwlw+NfD42UHxFgJMY7GyGu6pqoM2LYn+k7cI3ZD0Y5cq1LRFSvmelc7vtBY3CbLxwCuQsQIqq/' +
  'FNckxjsbIa7qmqgzNc6WkHX2goRGVyqBrVDEhXXv+Z8SkX34c64jP1VSBnNNRsevUQC5SCTGOxzAmRHM0z4P/nfMxPaMZ3ZGAJPA' +
  'cpwHKYAiGAnpPR3/Vs+NspmC7QxAS+KTA3gko+yz+vT6gHOnDFXLhX/ueP+QAAoAAQAAAVYAAf+TwPyAgAhXwPyAgAMZw/gCAGvD' +
  '+AIEo8D8gIAHJMH6gQAF7sD7wOD5gcB9gGADZBwLeF8Hvm/B8wOD7AOD8gMEOKwEOs4GR0fA+YHA+MHAOCAKw6IL+eYDjsD4g0D4' +
  'w0AxABgoBdwNig4XLArq3xDBrbzB8YeHzB4HwDASnr99aLMKDZqg37m3pxCWJGB+PsB8AsD4g0A4QBRepi/kCGQDfIuPCtYG7cCa' +
  'B0sAFwUa3LLgDBoV4mYSSnz65vvD4yMPiHwcKBcFGtyzqdFCR14zVk4P4iwsDBoV4mYTKrZVwTbebKAsFdjHxzfA6RA6SBexHNyz' +
  'ZL8DDsod4mYTXCgIwEsDpIAhbTZfJHbtA4hIcj4ASsPiIw+IvBwoJNNhwuuyeQ65vrRzSAt1H9ok02HClewZe9PZWHMbevr7zZ/a' +
  'FcgobSTTYIfHgP+QAAoAAgAAADUAAf+Tw+YEArDB+oEACDnH9gIFw4DA+kCAAoCAw+YEBMaAgICAgICAgICA/5AACgADAAAALAAB' +
  '/5PHxggCwsfMCAdBgICAgIDD9QIEG4CAgICAgICAgID/2Q==';

/** `-r 2`: wavelets that lose nothing. */
const grey =
  'AAAADGpQICANCocKAAAAFGZ0eXBqcDIgAAAAAGpwMiAAAAAtanAyaAAAABZpaGRyAAAAJAAAADAAAQcHAAAAAAAPY29scgEAAAAA' +
  'ABEAAAH0anAyY/9P/1EAKQAAAAAAMAAAACQAAAAAAAAAAAAAADAAAAAkAAAAAAAAAAAAAQcBAf9SAAwAAAABAAUEBAAB/1wAE0BA' +
  'SEhQSEhQSEhQSEhQSEhQ/2QAJQABQ3JlYXRlZCBieSBPcGVuSlBFRyB2ZXJzaW9uIDIuNS4w/5AACgAAAAABcwAB/5PPsBgI9guv' +
  'Q7/AfAFAEMAIQAjfAwPPvCoAigDgwA+khcbHlmROIToLRQspf8fYMQBHAHRQIfP1VTtZNZJk1tjMAR5H8g4uc3mnWIiCIjl/LHzB' +
  'sW/H2HUD5CkA+FI2Et6QhXsSKcZEr24smt8jlUEd2ubDNZHFXxXeZFBQAZA5v5Ue8brNxJ1KxKFcPDXMhlhdkPZdoR4/mEqASEMA' +
  'CGtegwVVaKvlfjjDan+OYV+5j5OOp00LKtgfA36f3A3H2rMB8NHAHaNag08l0i7iZjxIN97WGvRZaMnI/Vgrp0SLqkQ254RF06or' +
  'yzCQtD9waiY/VO8iJvfOrmWAZbraDWORkL0TFbb0Bl1slzWHreDHGnUTRnjopF7Z6iteohSwm9z3lQNUSdqJY4GQqpbgIXvZQ1X+' +
  'WkpTEMOTlXUmb+9ZpATX3PRyeXUAU0/pAlohVVJBDKZkRy7Zbyy66xp8FHI7CqEaxqv/2Q==';

/** `-r 6 -I -F 48,36,4,8,u`, and its colour space set to CMYK (12). */
const inks =
  'AAAADGpQICANCocKAAAAFGZ0eXBqcDIgAAAAAGpwMiAAAAAtanAyaAAAABZpaGRyAAAAJAAAADAABAcHAAAAAAAPY29scgEAAAAA' +
  'AAwAAAKjanAyY/9P/1EAMgAAAAAAMAAAACQAAAAAAAAAAAAAADAAAAAkAAAAAAAAAAAABAcBAQcBAQcBAQcBAf9SAAwAAAABAQUE' +
  'BAAA/1wAI0J3IHbwdvB2wG8AbwBu4GdQZ1BnaFAFUAVQR1fTV9NXYv9kACUAAUNyZWF0ZWQgYnkgT3BlbkpQRUcgdmVyc2lvbiAy' +
  'LjUuMP+QAAoAAAAAAgkAAf+Tx/YIB6NcdPIA7tvD+AgMGOrhPCOOP8f2CAwd4NI5YeaPx/YICH7vtUMann/AH0g4AfMDAAhRjwkr' +
  'f8AfMCgA+MEAAn8CZ8A+wDgA+MEACIsfAd/APsAwAktXwH2BEA+kMBWIyiT4POR/AHwb/bIfwD6Q8AfMGBaP5wJaS50JpigolT/A' +
  '+8IgH0hgFZJomzh95osLPwO0Ab/B+QYAAn8tCRpZhrlUBiZbwD5hEA+YSCxf7aoIyT5/ANITDk9mqGAfwB8YiAPjEiuz66dss8iT' +
  'A4IbBxNmCv8/wH0i4A+MQCxfWYDLu4sPAGrHA4KopXEi5Q/D8iEAHO9/NsN2u7wdI6zYCVm0mBvUTJB83z9VzIFFDUsJFi2/wD4B' +
  'ID4xYEslqo+EA5kxBn/qz2mAMcAcHAfIIEp5p4WyBvJ+WOnfwHyCYD4xQEsltYtTW4VwW4WyBPYOf+rezODD7EAAHPbS+8oZhmTy' +
  'kRse636BiZxgB9KBqITf6AgJRaccRmz4QVG+UiyX1gxc3avwYATJ8XbKie93NWz2ioQIvYYzpcAI4A6Mgt3nxc1+TRk/oA4QxiN/' +
  'r8AcJAHCAILd6UnGI3+vwfS4ABxKw7yeqGIYQv9tV4g1U2p8doI8Xtdu9XHLAAAAAAAAAAAABeyCl/9//nc0AAAAF+lh+Vpp6/9/' +
  '/9k=';

/** Template 0. */
const arithmetic =
  'AAAAADAAAQAAABMAAAAwAAAAJAAAAAAAAAAAAAAAAAAAASYAAQAAAGAAAAAwAAAAJAAAAAAAAAAAAAAD//3/Av7+/v92MrrwMrUz' +
  '37iGu+jyXmVs/pzLvGs1f4FPyVEb53E7E8ekYZXCBQVT+WZH4pLYf8OYRkzebUWobumXTGTjAb08XBY//6w=';

/** Template 3. */
const arithmeticOfThree =
  'AAAAADAAAQAAABMAAAAwAAAAJAAAAAAAAAAAAAAAAAAAASYAAQAAAE4AAAAwAAAAJAAAAAAAAAAAAAYC//92Mrrl9Eo2VOGrGbvp' +
  'dIAKBnNv/3TPmP47BdYxmliX0GRWjqKcT7OPiIFspPLF73NMtXDiU1A6/6w=';

/** MMR, as G4 of fax machines has it. */
const fax =
  'AAAAADAAAQAAABMAAAAwAAAAJAAAAAAAAAAAAAAAAAAAASYAAQAAAEoAAAAwAAAAJAAAAAAAAAAAAAEmoMhGhf/5BnwQPhMjjq9X' +
  'oSr+n/6eTUGQkAYLif7XIEYan3X91ut1hpYMFx/JQITUGQlAgAIAIA==';

const packed = (name: string, entries: string, octets: string, filter: string): Sample => ({
  name: `a picture ${name}`,
  pdf: pdfOf(
    [
      {
        content: 'q 1 0 0 rg 96 0 0 72 150 420 cm /I Do Q',
        resources: '/XObject<</I 10 0 R>>',
        entries: '/MediaBox[0 0 595 842]',
      },
    ],
    {
      objects: [
        stream(
          `/Type/XObject/Subtype/Image/Width 48/Height 36${entries}/Filter/${filter}`,
          Buffer.from(octets, 'base64'),
        ),
      ],
    },
  ),
});

const jpx = (name: string, octets: string, entries = '') => packed(name, entries, octets, 'JPXDecode');
const bilevel = '/ColorSpace/DeviceGray/BitsPerComponent 1';
const jbig2 = (name: string, octets: string, entries = bilevel) =>
  packed(name, entries, octets, 'JBIG2Decode');

export const packedImages: readonly Sample[] = [
  jpx('of JPEG 2000', lossyRgb),
  jpx('of JPEG 2000 in tiles', tiledRgb),
  jpx('of JPEG 2000 in grey', grey),
  jpx('of JPEG 2000 in a given grey', grey, '/ColorSpace/DeviceGray'),
  { ...jpx('of JPEG 2000 of inks', inks), beside: 'poppler' },
  jbig2('of JBIG2', arithmetic),
  jbig2('of JBIG2 of three rows', arithmeticOfThree),
  jbig2('of JBIG2 as of a fax', fax),
  jbig2('of JBIG2 the other way round', arithmetic, `${bilevel}/Decode[1 0]`),
  jbig2('of JBIG2 that is a mask', fax, '/ImageMask true/BitsPerComponent 1'),
];
