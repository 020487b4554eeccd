/** What is said of the stick that somebody brings, in German. */
export const stick = {
  stickFiles: 'Dateien auf Ihrem Stick',
  stickSeveral: 'Hier stecken mehrere Sticks. Bitte lassen Sie nur Ihren stecken.',
  stickReading: 'Ihr Stick wird gelesen …',
  stickTouch: 'Tippen Sie auf die Datei, die Sie drucken möchten.',
  stickNone: 'Darauf ist keine PDF-, JPEG- oder PNG-Datei.',
  stickMore: 'Nur die ersten {n} werden gezeigt.',
  stickBringing: '„{name}“ kommt zu Ihren Dokumenten …',
  stickBrought: '„{name}“ ist bei Ihren Dokumenten.',
  stickPulledOut: 'Der Stick wurde abgezogen. Nichts davon wurde gesendet.',
  stickUnreadable: 'Das lässt sich nicht vom Stick lesen.',
  stickTooLarge: 'Diese Datei ist zu groß.',
  stickUnfit: 'Diese Datei ist nicht, was ihr Name sagt.',
  stickLocked:
    'Diese PDF-Datei hat ein Kennwort. Speichern Sie sie ohne Kennwort und versuchen Sie es noch einmal.',
  stickNoQueue: 'Im Druckdienst ist kein Platz für Ihre Dateien eingerichtet. Bitte fragen Sie nach Hilfe.',
  stickDenied: 'Sie dürfen nicht vom Stick drucken.',
  stickNotSent: 'Der Druckdienst hat die Datei nicht angenommen. Bitte versuchen Sie es später noch einmal.',
  stickFailed: 'Das hat nicht geklappt. Bitte fragen Sie nach Hilfe.',
  takeStick: 'Nehmen Sie Ihren Stick mit.',
};
