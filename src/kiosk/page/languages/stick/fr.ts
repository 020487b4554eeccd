/** What is said of the stick that somebody brings, in French. */
export const stick = {
  stickFiles: 'Fichiers de votre clé',
  stickSeveral: 'Il y a plusieurs clés ici. Ne laissez que la vôtre, s’il vous plaît.',
  stickReading: 'Lecture de votre clé…',
  stickTouch: 'Touchez le fichier que vous voulez imprimer.',
  stickNone: 'Elle ne contient aucun fichier PDF, JPEG ou PNG.',
  stickMore: 'Seuls les {n} premiers sont affichés.',
  stickBringing: '« {name} » est en route vers vos documents…',
  stickBrought: '« {name} » est parmi vos documents.',
  stickPulledOut: 'La clé a été retirée. Rien n’en a été envoyé.',
  stickUnreadable: 'Impossible de lire cela sur la clé.',
  stickTooLarge: 'Ce fichier est trop grand.',
  stickUnfit: 'Ce fichier n’est pas ce que dit son nom.',
  stickLocked: 'Ce PDF a un mot de passe. Enregistrez-le sans mot de passe et réessayez.',
  stickNoQueue:
    'Aucune place n’est prévue pour vos fichiers dans le service d’impression. Demandez de l’aide, s’il vous plaît.',
  stickDenied: 'Vous n’avez pas le droit d’imprimer depuis une clé.',
  stickNotSent: 'Le service d’impression n’a pas accepté le fichier. Réessayez plus tard, s’il vous plaît.',
  stickFailed: 'Cela n’a pas fonctionné. Demandez de l’aide, s’il vous plaît.',
  takeStick: 'N’oubliez pas votre clé.',
};
